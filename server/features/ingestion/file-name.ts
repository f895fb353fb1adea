import type { Format } from './document.ts';

/** What a file's name says that it is. Names of text say nothing certain: anything may be a text. */
export type Claim =
  | { kind: 'format'; format: Format }
  | { kind: 'program' | 'archive' | 'unread' }
  /** Of older office programs, which often write HTML, RTF or tables as text under these names. */
  | { kind: 'older'; as: 'doc' | 'xls' | 'ppt' | 'msg' }
  | { kind: 'nothing' };

/** Formats that are recognised by their first bytes, by the extensions that promise them. */
const promised: [format: Format, extensions: string][] = [
  ['pdf', 'pdf'],
  ['docx', 'docx docm dotx dotm'],
  ['pptx', 'pptx pptm ppsx ppsm potx potm'],
  ['xlsx', 'xlsx xlsm xltx xltm'],
  ['odt', 'odt ott'],
  ['odp', 'odp otp'],
  ['ods', 'ods ots'],
  ['rtf', 'rtf'],
  ['epub', 'epub'],
  ['png', 'png'],
  ['jpeg', 'jpg jpeg jpe jfif'],
  ['tiff', 'tif tiff'],
  ['webp', 'webp'],
];

const others: [claim: Claim, extensions: string][] = [
  [
    { kind: 'program' },
    'exe com dll scr sys drv cpl msi msp mst msix appx bat cmd ps1 psm1 vbs vbe jse wsf wsh hta lnk pif reg ' +
      'jar war class apk ipa dex deb rpm appimage elf so dylib ko wasm sh bash zsh csh ksh command run',
  ],
  [
    { kind: 'archive' },
    'zip zipx rar 7z gz tgz tar bz2 tbz2 xz txz lzma zst tzst lz4 lz z cab arj ace cpio iso dmg img vhd vhdx vmdk',
  ],
  [{ kind: 'older', as: 'doc' }, 'doc dot'],
  [{ kind: 'older', as: 'xls' }, 'xls xlt'],
  [{ kind: 'older', as: 'ppt' }, 'ppt pps pot'],
  [{ kind: 'older', as: 'msg' }, 'msg'],
  [
    { kind: 'unread' },
    'heic heif avif gif bmp ico psd ai indd cdr mp3 mp4 m4a m4v mov avi mkv wav flac ogg webm wma wmv ttf otf woff woff2 ' +
      'xlsb pages numbers key mdb accdb sqlite db dwg dxf vsd vsdx pub one pst ost mobi azw azw3 djvu xps oxps',
  ],
];

const claims = new Map<string, Claim>(
  [
    ...promised.map(([format, extensions]) => [{ kind: 'format' as const, format }, extensions] as const),
    ...others,
  ].flatMap(([claim, extensions]) => extensions.split(' ').map((each): [string, Claim] => [each, claim])),
);

export function claimOf(name: string): Claim {
  return claims.get(extensionOf(name)) ?? { kind: 'nothing' };
}

/**
 * In small letters, without its dot; empty where there is none. Dots and blanks at the end are as nothing, as in
 * Windows.
 */
export function extensionOf(name: string): string {
  return /\.([^.]+)$/.exec(name.replace(/[\s.]+$/, ''))?.[1]?.toLowerCase() ?? '';
}
