/** Frames between the server and its workers: head length, body length, JSON head, body. */
'use strict';

const prefixBytes = 8;

exports.writeFrame = function writeFrame(stream, head, body) {
  const data = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(data.length, 0);
  prefix.writeUInt32BE(body ? body.length : 0, 4);
  stream.write(Buffer.concat([prefix, data]));
  if (body && body.length > 0) stream.write(body);
};

exports.createFrameReader = function createFrameReader(stream, take) {
  let pieces = [];
  let received = 0;
  let head = null;
  let needed = prefixBytes;
  let sizes = null;

  function cut(count) {
    const all = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
    pieces = all.length > count ? [all.slice(count)] : [];
    received -= count;
    return all.slice(0, count);
  }
  stream.on('data', (piece) => {
    pieces.push(piece);
    received += piece.length;
    while (received >= needed) {
      if (sizes === null) {
        const prefix = cut(prefixBytes);
        sizes = { head: prefix.readUInt32BE(0), body: prefix.readUInt32BE(4) };
        needed = sizes.head;
      } else if (head === null) {
        head = JSON.parse(cut(sizes.head).toString('utf8'));
        needed = sizes.body;
      } else {
        const body = sizes.body === 0 ? Buffer.alloc(0) : cut(sizes.body);
        const whole = head;
        head = null;
        sizes = null;
        needed = prefixBytes;
        take(whole, body);
      }
    }
  });
};
