// A small service: an item as JSON, signed with rounds of SHA-256.
//
// Its argument is how many rounds more than usual a request takes.
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'

const USUAL_ROUNDS = 15
const rounds = USUAL_ROUNDS + Number(process.argv[2] ?? 0)
if (!(rounds >= USUAL_ROUNDS)) throw new Error('usage: service.js [ROUNDS_MORE]')

function sign(id) {
  let digest = createHash('sha256').update(`item ${id}`).digest()
  let usual = digest
  for (let round = 0; round < rounds; round++) {
    digest = createHash('sha256').update(digest).digest()
    if (round === USUAL_ROUNDS - 1) usual = digest
  }
  return usual.toString('hex')
}

const server = createServer((request, response) => {
  const found = /^\/items\/(\d+)$/.exec(request.url)
  if (request.method !== 'GET' || !found) {
    response.writeHead(404).end()
    return
  }
  const id = Number(found[1])
  const item = { id, name: `item ${id}`, tags: ['new', 'small'], signature: sign(id) }
  const body = JSON.stringify(item)
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
})
server.listen(Number(process.env.PORT), '127.0.0.1')
