import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { zipOf } from '../../e2e/support/zip.ts'
import { fetchElectron } from './electron-binary.ts'
import { inRoot } from './project.ts'

let folder: string
let server: Server
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'electron-'))
})
afterEach(async () => {
  vi.unstubAllEnvs()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})

/** A copy of the installed `electron` package that contains its installer but not Electron’s program. */
function copyOfPackage(): string {
  const home = join(folder, 'node_modules/electron')
  mkdirSync(home, { recursive: true })
  for (const file of ['package.json', 'install.js', 'checksums.json']) cpSync(inRoot('node_modules/electron', file), join(home, file))
  for (const name of ['@electron', '@electron-internal']) symlinkSync(inRoot('node_modules', name), join(folder, 'node_modules', name))
  return home
}

async function mirrorOf(zip: Buffer, bytesPerSecond: number): Promise<string> {
  const { version } = JSON.parse(readFileSync(inRoot('node_modules/electron/package.json'), 'utf8')) as { version: string } // npm's own file
  const name = `electron-v${version}-${process.platform}-${process.arch}.zip`
  server = createServer(async (request, response) => {
    if (request.method === 'HEAD') return void response.end()
    if (request.url?.endsWith('SHASUMS256.txt')) return void response.end(`${createHash('sha256').update(zip).digest('hex')} *${name}\n`)
    response.writeHead(200, { 'content-length': zip.length })
    const step = Math.ceil(bytesPerSecond / 20)
    for (let at = 0; at < zip.length && !response.destroyed; at += step) {
      response.write(zip.subarray(at, at + step))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    response.end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/` // safe cast: a TCP server’s address has a port
}

test('the setup script waits for a slow download of Electron until it is complete', { timeout: 60_000 }, async () => {
  const home = copyOfPackage()
  const zip = zipOf({ electron: randomBytes(10_000_000), version: Buffer.from('45') })
  vi.stubEnv('ELECTRON_MIRROR', await mirrorOf(zip, 1_000_000))
  vi.stubEnv('electron_config_cache', join(folder, 'cache'))
  vi.stubEnv('electron_use_remote_checksums', '1')
  const started = performance.now()
  expect(await fetchElectron(home)).toBe(true)
  expect(performance.now() - started).toBeGreaterThan(8_000)
  expect(readFileSync(join(home, 'dist/electron'))).toHaveLength(10_000_000)
})

test('the setup script does not wait for a download server that does not respond', async () => {
  const home = copyOfPackage()
  server = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // safe cast: a TCP server’s address has a port
  await new Promise((resolve) => server.close(resolve))
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${port}/`)
  expect(await fetchElectron(home)).toBe(false)
})
