import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

/** The part of anvil's state file that grows: one block a second, nearly all of them empty. */
const AnvilState = z.looseObject({
  best_block_number: z.number(),
  blocks: z.array(z.looseObject({ header: z.looseObject({ number: z.coerce.number() }), transactions: z.array(z.unknown()) })),
})

/** An hour and a half of blocks; a smaller file is not worth the work. */
const worthBytes = 8 * 1024 * 1024
/** Newest blocks that stay in any case: apps ask for those around the head. */
const keptBlocks = 300

/**
 * Drops old empty blocks from a state file that has grown large, so that days of practice do not make every start slower.
 * Receipts, logs, balances and block numbers stay. A file that is not as expected is left as it is, for anvil to judge.
 */
export function compactState(file: string, fromBytes = worthBytes): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  if (size < fromBytes) return
  const state = AnvilState.safeParse(parseJson(readFileSync(file, 'utf8')))
  if (!state.success) return
  const oldest = state.data.best_block_number - keptBlocks
  const blocks = state.data.blocks.filter(({ header, transactions }) => header.number === 0 || header.number > oldest || transactions.length > 0)
  const draft = `${file}.new`
  writeFileSync(draft, JSON.stringify({ ...state.data, blocks }))
  renameSync(draft, file)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
