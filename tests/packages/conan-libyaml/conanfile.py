"""Stands in for libyaml of ConanCenter where that cannot be reached: the system's own library, under its name."""

from conan import ConanFile


class Libyaml(ConanFile):
    name = "libyaml"
    version = "0.2.5"
    settings = "os", "arch"

    def package_info(self):
        self.cpp_info.set_property("pkg_config_name", "yaml-0.1")
        self.cpp_info.system_libs = ["yaml"]
        self.cpp_info.includedirs = []
        self.cpp_info.libdirs = []
