import { z } from 'zod'
import { command, query } from '../define.ts'

/** What the practice phone shows. Served only to the phone's own window. */
export const PhoneRequest = z.object({
  id: z.string(),
  kind: z.enum(['pairing', 'message', 'typed_data', 'transaction', 'switch_chain']),
  peerName: z.string(),
  peerUrl: z.string(),
  /** First lines of the card, for example "Long BTC-PERP" and "25,000.00 USDC". */
  headline: z.array(z.string()),
  fields: z.array(z.object({ name: z.string(), raw: z.string(), text: z.string() })),
  message: z.string().nullable(),
  raw: z.string(),
  digest: z.string().nullable(),
  atMs: z.number(),
  expiresAtMs: z.number(),
})
export type PhoneRequest = z.infer<typeof PhoneRequest>

export const PhoneState = z.object({
  /** By the practice clock, as all its times; a run whose clock was ahead of this computer's stays ahead. */
  nowMs: z.number(),
  address: z.string(),
  chainId: z.number(),
  usdc: z.string(),
  sessions: z.array(z.object({ topic: z.string(), peerName: z.string() })),
  requests: z.array(PhoneRequest),
  recent: z.array(z.object({ id: z.string(), title: z.string(), outcome: z.enum(['approved', 'rejected', 'expired', 'failed']), atMs: z.number() })),
  relay: z.enum(['up', 'down']),
})
export type PhoneState = z.infer<typeof PhoneState>

export const phone = {
  'phone.state': query(z.object({}), PhoneState, 'app'),
  'phone.approve': command(z.object({ id: z.string() }), z.object({}), { invalidates: ['phone.state'] }),
  'phone.reject': command(z.object({ id: z.string() }), z.object({}), { invalidates: ['phone.state'] }),
} as const
