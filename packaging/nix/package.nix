{
  lib,
  stdenv,
  fetchurl,
  cmake,
  pkg-config,
  scdoc,
  expat,
  libmicrohttpd,
  zlib,
  zstd,
  ANORANK_RELEASE_URL ? "https://example.org/anorank",
}:

stdenv.mkDerivation (self: {
  pname = "anorank";
  version = "1.0.0-rc1";

  src = fetchurl {
    url = "${ANORANK_RELEASE_URL}/anorank-${self.version}.tar.gz";
    sha256 = "0000000000000000000000000000000000000000000000000000000000000000";
  };

  nativeBuildInputs = [ cmake pkg-config scdoc ];
  buildInputs = [ expat zlib zstd ] ++ lib.optional stdenv.hostPlatform.isLinux libmicrohttpd;

  # Relative, because anorank.pc finds the prefix from its own place.
  cmakeFlags = [
    "-DANORANK_TESTS=OFF"
    "-DCMAKE_INSTALL_BINDIR=bin"
    "-DCMAKE_INSTALL_INCLUDEDIR=include"
    "-DCMAKE_INSTALL_LIBDIR=lib"
  ];

  # `anorank serve` loads libmicrohttpd when it starts.
  postFixup = lib.optionalString stdenv.hostPlatform.isLinux ''
    patchelf --add-rpath ${lib.getLib libmicrohttpd}/lib $out/bin/anorank
  '';

  doInstallCheck = true;
  installCheckPhase = ''
    $out/bin/anorank example cards --rows 2000 -o cards.csv
    $out/bin/anorank detect cards.csv --lowest 5
  '';

  meta = {
    description = "Rank the rows of a table by how abnormal they are, without labels";
    homepage = ANORANK_RELEASE_URL;
    license = lib.licenses.mit;
    mainProgram = "anorank";
    platforms = lib.platforms.unix;
  };
})
