import { expect, test } from 'vitest';
import { librariesIn } from '../../../../main/models/engines/docker/base-image.ts';

/** As ldd answers for the libraries of wheels. */
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

test('libraries come once each, by whichever way they are named, and those of a package only with it', () => {
  const archived = [
    { source: '/env/PIL', place: 'a' },
    { source: '/env/pillow.libs', place: 'b' },
  ];
  expect(librariesIn(output, archived)).toEqual([
    { source: '/lib/x86_64-linux-gnu/libc.so.6', place: 'lib/x86_64-linux-gnu/libc.so.6' },
    { source: '/lib64/ld-linux-x86-64.so.2', place: 'lib64/ld-linux-x86-64.so.2' },
    { source: '/env/zlib/libz.so.1', place: 'env/zlib/libz.so.1' },
  ]);
  expect(librariesIn(output, []).map(({ source }) => source)).toEqual([
    '/env/pillow.libs/libjpeg.so.62',
    '/lib/x86_64-linux-gnu/libc.so.6',
    '/lib64/ld-linux-x86-64.so.2',
    '/env/zlib/libz.so.1',
  ]);
});
