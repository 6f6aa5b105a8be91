import { createServer } from 'node:http';
import Database from 'better-sqlite3';

const database = new Database(process.argv[2] ?? ':memory:');
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE IF NOT EXISTS one (id INTEGER PRIMARY KEY)');
const server = createServer((_request, response) => response.end('ok'));
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ ready: true }));
});
