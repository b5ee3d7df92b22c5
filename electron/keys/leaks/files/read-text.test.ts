import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readText } from './walk.ts'

test('the leak scan does not read a file that became a symbolic link after the app listed the file [40]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-text-'))
  const read: string[] = []
  const parts = {
    buffer: Buffer.alloc(1_024),
    mostBytes: 1_024,
    onText: (text: string) => read.push(text),
    onBytes: () => {},
  }
  try {
    writeFileSync(join(folder, 'file'), 'A=1')
    symlinkSync('file', join(folder, 'link'))
    expect(await readText(join(folder, 'link'), parts)).toBe('changed')
    expect(read).toEqual([])
    expect(await readText(join(folder, 'file'), parts)).toBe('whole')
    expect(read).toEqual(['A=1'])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
