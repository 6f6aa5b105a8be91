'use strict';
// Joins standard input and output to the function's port. Limner runs it with `docker exec` on another computer.
const net = require('net');

const retryMs = 50;
/** The function may not listen yet. */
const giveUpAt = Date.now() + 1500;

function dial() {
  const socket = net.connect({ host: '127.0.0.1', port: Number(process.env.LIMNER_PORT || 8080) });
  socket.once('connect', () => {
    process.stdin.pipe(socket);
    socket.pipe(process.stdout);
    socket.on('close', () => process.exit(0));
    process.stdin.on('close', () => socket.end());
    process.stdin.on('error', () => socket.destroy());
    process.stdout.on('error', () => socket.destroy());
  });
  socket.on('error', (error) => {
    if (error.code === 'ECONNREFUSED' && Date.now() < giveUpAt) setTimeout(dial, retryMs);
    else process.exit(1);
  });
}

dial();
