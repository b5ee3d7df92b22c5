import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { InstanceLock, type SecondInstance } from './instance-lock.ts'
import { makeProfile } from './launch-fixture.ts'

let place: { profile: string; removeProfile: () => void }
beforeEach(() => {
  place = makeProfile()
})
afterEach(() => place.removeProfile())

const own = (name: string): SecondInstance => ({ argv: ['electron', name], workingDirectory: '/', additionalData: { when: new Date(5) } })

test('on the stand-in for Electron, a second instance of the app gets no single-instance lock while the first runs; the first is notified', async () => {
  const told: SecondInstance[] = []
  const first = new InstanceLock(place.profile, (second) => told.push(second))
  expect(first.acquire(own('first'))).toBe(true)
  expect(first.acquire(own('again'))).toBe(true)
  const second = new InstanceLock(place.profile, () => {})
  expect(second.acquire(own('second'))).toBe(false)
  expect(second.held).toBe(false)
  await expect.poll(() => told).toEqual([own('second')])
  first.release()
  expect(second.acquire(own('second'))).toBe(true)
  second.release()
})

test('on the stand-in for Electron, a new instance of the app takes over the lock of an ended process, and discards messages sent to that process', async () => {
  const ended = spawn('true')
  await once(ended, 'exit')
  const told: SecondInstance[] = []
  const lock = new InstanceLock(place.profile, (second) => told.push(second))
  expect(lock.acquire(own('first'))).toBe(true)
  lock.release()
  const folder = join(place.profile, 'stand-in-lock')
  writeFileSync(join(folder, 'owner'), JSON.stringify({ pid: ended.pid, started: '1' }))
  writeFileSync(join(folder, '1-1.message'), 'to the one before')
  expect(lock.acquire(own('second'))).toBe(true)
  expect(JSON.parse(readFileSync(join(folder, 'owner'), 'utf8'))).toMatchObject({ pid: process.pid })
  expect(existsSync(join(folder, '1-1.message'))).toBe(false)
  lock.release()
  expect(existsSync(join(folder, 'owner'))).toBe(false)
})

test('on the stand-in for Electron, the single-instance lock detects that the id of an ended process now belongs to another process', () => {
  const lock = new InstanceLock(place.profile, () => {})
  lock.acquire(own('first'))
  lock.release()
  writeFileSync(join(place.profile, 'stand-in-lock', 'owner'), JSON.stringify({ pid: process.pid, started: 'at another time' }))
  expect(lock.acquire(own('second'))).toBe(true)
  lock.release()
})
