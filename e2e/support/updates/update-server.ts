import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { type Installer, pinnedForm, type ReleaseParts, signRelease } from '../../../build/scripts/package/sign.ts'
import { statementFile } from '../../../electron/host/updates/release-statement.ts'

const tools = createRequire(createRequire(import.meta.url).resolve('electron-builder/package.json'))
/** electron-builder's own: appends the block map to an AppImage. */
const { buildBlockMap } = tools('app-builder-lib/out/targets/blockmap/blockmap.js') as {
  buildBlockMap(file: string, compression: 'deflate'): Promise<{ blockMapSize: number }>
}

export interface SigningKey {
  readonly key: KeyObject
  /** As a build pins it. */
  readonly pinned: string
}

export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { key: privateKey, pinned: pinnedForm(privateKey) }
}

/** What two versions of an AppImage have in common. */
export const commonBytes = (size = 8_000_000): Buffer => randomBytes(size)

/**
 * Writes a stand-in for an AppImage: a script that appends `says` to the file `ran` in its folder, with `common` behind it, some bytes of its own, and
 * a block map.
 */
export async function writeImage(file: string, says: string, common: Buffer): Promise<void> {
  const script = `#!/bin/sh\necho ${says} "$@" >> "$(dirname "$0")/ran"\nexit 0\n`
  writeFileSync(file, Buffer.concat([Buffer.from(script), common, randomBytes(300_000)]))
  await buildBlockMap(file, 'deflate')
  chmodSync(file, 0o755)
}

/** How a server behaves badly. */
export interface ServerFault {
  /** Ends each response after this many bytes of its body. */
  readonly cutAt?: number
  /** Ignores ranges, as some servers do. */
  readonly withoutRanges?: boolean
  /** Waits between pieces of 64 KiB, so that a download takes a while. */
  readonly pieceMs?: number
}

export interface UpdateServer {
  readonly address: string
  readonly folder: string
  fault: ServerFault
  /** Bytes of bodies sent since `sent` was last set. */
  sent: number
  /** The paths that were asked for. */
  readonly asked: string[]
  /** Puts a file on the server. Returns it as an installer for this computer. */
  put(path: string): Installer
  /** Publishes a signed statement. */
  publish(parts: Partial<ReleaseParts> & Pick<ReleaseParts, 'installers' | 'keys'>): void
  /** Publishes any text as the statement. */
  publishText(text: string): void
  close(): Promise<void>
}

const pieceBytes = 65_536

/** A real HTTP server on loopback over a folder, with single ranges, as nginx has them. */
export async function startUpdateServer(folder: string): Promise<UpdateServer> {
  mkdirSync(folder, { recursive: true })
  const pieces = async function* (body: Buffer): AsyncGenerator<Buffer> {
    const { cutAt, pieceMs } = server.fault
    for (let at = 0; at < body.length; at += pieceBytes) {
      const piece = body.subarray(at, Math.min(at + pieceBytes, cutAt ?? body.length))
      server.sent += piece.length
      yield piece
      if (cutAt !== undefined && at + pieceBytes >= cutAt) throw new Error('cut off')
      if (pieceMs !== undefined) await wait(pieceMs)
    }
  }
  const http = createServer((request, response) => {
    const name = basename(new URL(request.url ?? '/', 'http://x').pathname)
    server.asked.push(name)
    let bytes: Buffer
    try {
      bytes = readFileSync(join(folder, name))
    } catch {
      response.writeHead(404).end()
      return
    }
    const range = server.fault.withoutRanges === true ? null : /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    const [from, to] = range === null ? [0, bytes.length] : [Number(range[1]), Number(range[2]) + 1]
    const body = bytes.subarray(from, to)
    response.writeHead(range === null ? 200 : 206, {
      'content-length': body.length,
      ...(range !== null && { 'content-range': `bytes ${from}-${to - 1}/${bytes.length}` }),
    })
    // Ends the connection when the pieces end early, or when the other side does.
    pipeline(pieces(body), response).catch(() => response.destroy())
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: UpdateServer = {
    // The cast is safe: the server listens on a port.
    address: `http://127.0.0.1:${(http.address() as AddressInfo).port}/`,
    folder,
    fault: {},
    sent: 0,
    asked: [],
    put(path) {
      const there = join(folder, basename(path))
      copyFileSync(path, there)
      return { platform: 'linux', arch: process.arch === 'arm64' ? 'arm64' : 'x64', path: there }
    },
    publish: (parts) => server.publishText(signRelease({ version: '0.2.0', minimum: null, journal: 1, nowMs: Date.now(), ...parts })),
    publishText: (text) => writeFileSync(join(folder, statementFile), text),
    async close() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return server
}
