"""Bristle for Conan 2: conan create packaging/conan. Builds from the tree that it lies in."""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir
from conan.tools.gnu import PkgConfigDeps


class Bristle(ConanFile):
    name = "bristle"
    description = "Friction laws, exact and stable when coupled; identification of friction from logs"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "lab": [True, False]}
    default_options = {"shared": False, "lab": True}
    languages = "C"

    def set_version(self):
        numbers = re.findall(r"_VERSION_[A-Z]+ (\d+)", load(self, os.path.join(self.tree, "include", "bristle", "api.h")))
        self.version = ".".join(numbers)

    @property
    def tree(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def export_sources(self):
        for name in ("CMakeLists.txt", "LICENSE", "README.md", "CHANGELOG.md"):
            copy(self, name, self.tree, self.export_sources_folder)
        for name in ("cmake", "include", "src", "cli", "bridge", "tests", "bench", "examples", "docs", "playground"):
            copy(self, f"{name}/*", self.tree, self.export_sources_folder)

    def requirements(self):
        if self.options.lab:
            self.requires("libyaml/0.2.5")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        PkgConfigDeps(self).generate()  # as cmake/yaml.cmake looks for libyaml
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["BRISTLE_TOOLS"] = False
        toolchain.cache_variables["BRISTLE_LAB"] = bool(self.options.lab)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        CMake(self).install()
        for name in ("pkgconfig", "cmake"):  # Conan makes its own
            rmdir(self, os.path.join(self.package_folder, "lib", name))

    def package_info(self):
        kind = "bristle" if self.options.shared else "static"
        self.cpp_info.set_property("cmake_file_name", "bristle")
        core = self.cpp_info.components["core"]
        core.set_property("cmake_target_name", f"bristle::{kind}")
        core.libs = ["bristle"]
        if self.options.lab:
            lab = self.cpp_info.components["lab"]
            lab.set_property("cmake_target_name", "bristle::lab" if self.options.shared else "bristle::lab_static")
            lab.libs = ["bristle-lab"]
            lab.requires = ["core", "libyaml::libyaml"]
            lab.system_libs = ["m", "pthread"] if self.settings.os in ("Linux", "FreeBSD") else []
