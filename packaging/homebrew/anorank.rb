class Anorank < Formula
  ANORANK_RELEASE_URL = "https://example.org/anorank".freeze

  desc "Rank the rows of a table by how abnormal they are, without labels"
  homepage ANORANK_RELEASE_URL
  url "#{ANORANK_RELEASE_URL}/anorank-1.0.0-rc1.tar.gz"
  version "1.0.0-rc1"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "pkgconf" => :build
  depends_on "scdoc" => :build
  depends_on "zstd"
  uses_from_macos "expat"
  uses_from_macos "zlib"

  on_linux do
    depends_on "libmicrohttpd" # anorank serve, which needs Linux
  end

  def install
    system "cmake", "-S", ".", "-B", "build", "-DANORANK_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/anorank --version")
    system bin/"anorank", "example", "cards", "--rows", "2000", "-o", "cards.csv"
    system bin/"anorank", "detect", "cards.csv", "--lowest", "5", "-o", "found.csv"
    assert_match "p_value", (testpath/"found.csv").read
    (testpath/"test.c").write <<~C
      #include <anorank/anorank.h>
      int main(void) { return anorank_version()[0] == 0; }
    C
    system ENV.cc, "test.c", "-I#{include}", "-L#{lib}", "-lanorank", "-o", "test"
    system "./test"
  end
end
