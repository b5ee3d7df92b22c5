import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A value in a D-Bus message: a text, or a 32-bit number. */
type Value = string | number

/** Encodes the values of a D-Bus message, little-endian. Aligns each value as D-Bus requires. */
class Encoder {
  readonly #bytes: number[] = []

  align(to: number): void {
    while (this.#bytes.length % to !== 0) this.#bytes.push(0)
  }

  byte(value: number): void {
    this.#bytes.push(value)
  }

  u32(value: number): void {
    this.align(4)
    const buffer = Buffer.alloc(4)
    buffer.writeUInt32LE(value)
    this.#bytes.push(...buffer)
  }

  text(value: string): void {
    this.u32(Buffer.byteLength(value))
    this.#bytes.push(...Buffer.from(value), 0)
  }

  signature(value: string): void {
    this.#bytes.push(value.length, ...Buffer.from(value), 0)
  }

  value(value: Value): void {
    if (typeof value === 'number') this.u32(value)
    else this.text(value)
  }

  raw(bytes: Uint8Array): void {
    this.#bytes.push(...bytes)
  }

  get bytes(): Buffer {
    return Buffer.from(this.#bytes)
  }
}

/** Encodes a call to the D-Bus daemon itself. */
function call(serial: number, member: string, values: readonly Value[]): Buffer {
  const body = new Encoder()
  for (const value of values) body.value(value)
  const fields = new Encoder()
  const field = (code: number, type: string, value: string) => {
    fields.align(8)
    fields.byte(code)
    fields.signature(type)
    if (type === 'g') fields.signature(value)
    else fields.text(value)
  }
  field(1, 'o', '/org/freedesktop/DBus')
  field(2, 's', 'org.freedesktop.DBus')
  field(3, 's', member)
  field(6, 's', 'org.freedesktop.DBus')
  if (values.length > 0) field(8, 'g', values.map((value) => (typeof value === 'number' ? 'u' : 's')).join(''))
  const message = new Encoder()
  for (const byte of ['l'.charCodeAt(0), 1, 0, 1]) message.byte(byte)
  message.u32(body.bytes.length)
  message.u32(serial)
  message.u32(fields.bytes.length)
  message.raw(fields.bytes)
  message.align(8)
  message.raw(body.bytes)
  return message.bytes
}

/** Claims a name on the session bus, as a part of the desktop such as a tray would. Nothing answers under this name. `release` gives the name up. */
export async function ownName(env: NodeJS.ProcessEnv, name: string): Promise<{ release(): Promise<void> }> {
  const path = /unix:path=([^,]+)/.exec(env.DBUS_SESSION_BUS_ADDRESS ?? '')?.[1]
  if (path === undefined) throw new Error('the bus has no path')
  const socket = connect(path)
  await once(socket, 'connect')
  socket.write(`\0AUTH EXTERNAL ${Buffer.from(String(process.getuid?.())).toString('hex')}\r\n`)
  const [said] = (await once(socket, 'data')) as [Buffer] // safe cast: a stream without an encoding yields buffers
  if (!said.toString().startsWith('OK')) throw new Error(`the bus refused: ${said.toString()}`)
  socket.write('BEGIN\r\n')
  socket.write(call(1, 'Hello', []))
  socket.write(call(2, 'RequestName', [name, 0]))
  socket.resume()
  await run('gdbus', ['wait', '--session', '--timeout', '10', name], { env })
  return {
    async release() {
      socket.destroy()
      await once(socket, 'close')
    },
  }
}

/** Sends the D-Bus signal that a screen saver sends when the screen is locked or unlocked. */
export const sayLocked = (env: NodeJS.ProcessEnv, by: 'org.freedesktop.ScreenSaver' | 'org.gnome.ScreenSaver', isLocked: boolean): Promise<unknown> =>
  run('gdbus', ['emit', '--session', '--object-path', `/${by.replaceAll('.', '/')}`, '--signal', `${by}.ActiveChanged`, String(isLocked)], { env })

export const sayLogin = (env: NodeJS.ProcessEnv, session: string, signal: 'Lock' | 'Unlock'): Promise<unknown> =>
  run('gdbus', ['emit', '--session', '--object-path', session, '--signal', `org.freedesktop.login1.Session.${signal}`], { env })
