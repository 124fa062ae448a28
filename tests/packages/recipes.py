"""Recipes that are not built here, read by the tools of their package managers: recipes.py FOLDER, as packaging/fill.sh fills it."""

import json
import re
import sys
from pathlib import Path

import rattler_build
from catkin_pkg.package import parse_package

HEADER = Path(__file__).parents[2] / "include" / "bristle" / "api.h"
VERSION = ".".join(re.findall(r"_VERSION_[A-Z]+ (\d+)", HEADER.read_text()))


# what conda-forge sets for every recipe
VARIANTS = rattler_build.VariantConfig(
    {"c_compiler": ["gcc"], "cxx_compiler": ["gxx"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.28"]}
)


def conda(path: Path) -> None:
    """Rendered for Linux and macOS."""
    recipe = rattler_build.Stage0Recipe.from_yaml(path.read_text())
    for platform in ("linux-64", "linux-aarch64", "osx-arm64"):
        config = rattler_build.RenderConfig(platform=rattler_build.PlatformConfig(target_platform=platform))
        rendered = recipe.render(VARIANTS, config)
        assert rendered, f"{path}: nothing to build for {platform}"


def vcpkg(folder: Path) -> None:
    """The manifest has the version, and the port names the archive that it downloads."""
    manifest = json.loads((folder / "vcpkg.json").read_text())
    assert manifest["version"] == VERSION and "libyaml" in manifest["dependencies"], manifest
    port = (folder / "portfile.cmake").read_text()
    assert re.search(r"SHA512 [0-9a-f]{128}\)", port), "portfile.cmake has no SHA512"


def ros(path: Path) -> None:
    """As colcon reads it."""
    package = parse_package(str(path))
    assert package.name == "bristle" and package.version == VERSION and package.get_build_type() == "cmake"


def main() -> None:
    """All of them."""
    folder = Path(sys.argv[1])
    conda(folder / "conda" / "recipe.yaml")
    vcpkg(folder / "vcpkg" / "bristle")
    ros(folder / "ros2" / "package.xml")
    print("ok conda, vcpkg, ros2")


if __name__ == "__main__":
    main()
