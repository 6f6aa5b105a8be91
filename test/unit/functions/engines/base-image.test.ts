import { expect, test } from 'vitest';
import { readListing } from '../../../../main/functions/engines/docker/python-environment.ts';

const output = `/env/PIL/_imaging.so:
\tlinux-vdso.so.1 (0x00007ffd)
\tlibjpeg.so.62 => /env/PIL/../pillow.libs/libjpeg.so.62 (0x00007f01)
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f02)
\t/lib64/ld-linux-x86-64.so.2 (0x00007f03)
/env/pillow.libs/libtiff.so:
\tlibjpeg.so.62 => /env/pillow.libs/libjpeg.so.62 (0x00007f04)
\tlibz.so.1 => /env/extra/../zlib/libz.so.1 (0x00007f05)
\tlibgone.so => not found
\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f02)
`;

test('lists libraries once each, by any of their names, and reports missing ones with their user', () => {
  expect(readListing(output)).toEqual({
    paths: [
      '/env/pillow.libs/libjpeg.so.62',
      '/lib/x86_64-linux-gnu/libc.so.6',
      '/lib64/ld-linux-x86-64.so.2',
      '/env/zlib/libz.so.1',
    ],
    missing: [{ file: '/env/pillow.libs/libtiff.so', library: 'libgone.so' }],
  });
});
