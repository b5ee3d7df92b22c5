import { z } from 'zod'
import { interval } from '../../ipc/reads/markets.ts'
import { limits } from '../limits.ts'

/** What requests are made of. Wire names, checked before anything is sent. */
export const noParams = z.object({})
export const noQuery = z.object({})
export const noBody = z.undefined()

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'not a wallet address')
export const HexSignature = z.string().regex(/^0x([0-9a-fA-F]{2})+$/, 'not a signature')
export const TransactionHash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'not a transaction hash')
export const PairId = z.number().int().min(0)
export const PathId = z.string().min(1).max(256)
export const JsonObject = z.record(z.string(), z.unknown())

export const KeyParams = z.object({ key_id: PathId })
export const PairQuery = z.object({ pair_id: PairId })
export const CandleQuery = z.object({ pair_id: PairId, interval, limit: z.number().int().min(1).optional() })
/** Pagination: `cursor` is the `next_cursor` of the page before. */
export const PageQuery = z.object({ cursor: z.number().int().optional(), limit: z.number().int().min(1).max(limits.page.max).optional() })
export const WalletQuery = z.object({ wallet: Address })
export const WalletPageQuery = PageQuery.extend({ wallet: Address })
