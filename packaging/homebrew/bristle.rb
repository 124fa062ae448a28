class Bristle < Formula
  desc "Friction laws and their identification from logs"
  homepage "@HOMEPAGE@"
  url "@URL@"
  sha256 "@SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "pkgconf" => :build
  depends_on "libyaml"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DBRISTLE_MPI=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    system bin/"bristle", "doctor"
    (testpath/"first.c").write <<~C
      #include <bristle/params.h>
      int main(void) { return bristle_lugre_default().fc > 0 ? 0 : 1; }
    C
    system ENV.cc, "first.c", "-I#{include}", "-L#{lib}", "-lbristle", "-o", "first"
    system "./first"
  end
end
