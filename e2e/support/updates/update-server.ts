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
/** A function of electron-builder that appends the block map to an AppImage. */
const { buildBlockMap } = tools('app-builder-lib/out/targets/blockmap/blockmap.js') as {
  buildBlockMap(file: string, compression: 'deflate'): Promise<{ blockMapSize: number }>
}

export interface SigningKey {
  readonly key: KeyObject
  /** The public key in the form that a build contains: SPKI in base64. */
  readonly pinned: string
}

export function newSigningKey(): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { key: privateKey, pinned: pinnedForm(privateKey) }
}

/** Returns random bytes that two versions of a test AppImage have in common. */
export const commonBytes = (size = 8_000_000): Buffer => randomBytes(size)

/**
 * Writes a file that replaces an AppImage in tests: a script, `common`, random bytes of its own, and a block map. When run, the script appends `says`
 * to the file `ran` in its folder.
 */
export async function writeImage(file: string, says: string, common: Buffer): Promise<void> {
  const script = `#!/bin/sh\necho ${says} "$@" >> "$(dirname "$0")/ran"\nexit 0\n`
  writeFileSync(file, Buffer.concat([Buffer.from(script), common, randomBytes(300_000)]))
  await buildBlockMap(file, 'deflate')
  chmodSync(file, 0o755)
}

/** Ways in which the test’s update server misbehaves. */
export interface ServerFault {
  /** Ends each response after this many bytes of its body. */
  readonly cutAt?: number
  /** Ignores range requests, as some servers do. */
  readonly withoutRanges?: boolean
  /** Waits between pieces of 64 KiB, so that a download takes a while. */
  readonly pieceMs?: number
}

export interface UpdateServer {
  readonly address: string
  readonly folder: string
  fault: ServerFault
  /** How many bytes of response bodies the server has sent since a test last set `sent`. */
  sent: number
  /** The paths that clients have requested. */
  readonly asked: string[]
  /** Puts a package file on the server. Returns it as a package for this computer. */
  put(path: string): Installer
  publish(parts: Partial<ReleaseParts> & Pick<ReleaseParts, 'installers' | 'keys'>): void
  /** Publishes any text in place of the release statement. */
  publishText(text: string): void
  close(): Promise<void>
}

const pieceBytes = 65_536

/** Starts a real HTTP server on loopback that serves a folder. Like nginx, it answers requests for a single range. */
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
    // Ends the connection if `pieces` stops early or if the client closes it.
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
