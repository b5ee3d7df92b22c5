import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Hex } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { z } from 'zod'

const KeyFile = z.record(
  z.string(),
  z.custom<Hex>((value) => typeof value === 'string' && /^0x[0-9a-f]{64}$/.test(value)),
)

/**
 * Returns the private keys of this installation by name. Reads the keys from `file`; creates each missing key at random and saves it there (mode
 * 0600).
 * The keys must be random, because practice uses Base's chain id: with a known key, a practice signature could be valid on the real Base (safety.md).
 * @param file null keeps the keys in memory only.
 */
export function installKeys<Name extends string>(file: string | null, names: readonly Name[]): Record<Name, Hex> {
  const known = file === null ? {} : readKeys(file)
  const keys = Object.fromEntries(names.map((name) => [name, known[name] ?? generatePrivateKey()])) as Record<Name, Hex>
  if (file !== null && names.some((name) => known[name] === undefined)) {
    mkdirSync(dirname(file), { recursive: true })
    const draft = `${file}.new`
    writeFileSync(draft, JSON.stringify(keys), { mode: 0o600 })
    renameSync(draft, file)
  }
  return keys
}

function readKeys(file: string): Record<string, Hex> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return {}
  }
  try {
    return KeyFile.parse(JSON.parse(text))
  } catch {
    renameSync(file, `${file}.broken`)
    return {}
  }
}
