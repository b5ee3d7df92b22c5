import { z } from 'zod'

const Topic = z.string().min(1).max(128)
const Publication = z.object({
  topic: Topic,
  message: z.string(),
  ttl: z.number().positive(),
  tag: z.number().default(0),
  attestation: z.string().optional(),
})
const JsonRpcId = z.union([z.number(), z.string()])

const call = <Method extends string, Params extends z.ZodType>(method: Method, params: Params) => z.object({ id: JsonRpcId, method: z.literal(method), params })

/** The relay's methods, as WalletConnect's clients 2.21 send them. */
export const RelayCall = z.discriminatedUnion('method', [
  call('irn_subscribe', z.object({ topic: Topic })),
  call('irn_batchSubscribe', z.object({ topics: z.array(Topic) })),
  call('irn_unsubscribe', z.object({ topic: Topic })),
  call('irn_batchUnsubscribe', z.object({ subscriptions: z.array(z.object({ topic: Topic })) })),
  call('irn_publish', Publication),
  call('irn_batchPublish', z.object({ messages: z.array(Publication) })),
  call('irn_fetchMessages', z.object({ topic: Topic })),
  call('irn_batchFetchMessages', z.object({ topics: z.array(Topic) })),
  call('wc_proposeSession', z.object({ pairingTopic: Topic, sessionProposal: z.string(), attestation: z.string().optional() })),
  call('wc_approveSession', z.object({ pairingTopic: Topic, sessionTopic: Topic, sessionProposalResponse: z.string(), sessionSettlementRequest: z.string() })),
])
export type RelayCall = z.infer<typeof RelayCall>

/** A call that the schema above did not take; answered with an error. */
export const AnyCall = z.object({ id: JsonRpcId, method: z.string() })

/** A client's word that it has a message that was pushed to it. */
export const Confirmation = z.object({ id: JsonRpcId, result: z.unknown() })

/** Tags of the messages that `wc_proposeSession` and `wc_approveSession` stand for. */
export const tags = { sessionProposal: 1100, sessionProposalResponse: 1101, sessionSettlement: 1102 } as const

/** Lifetime of the messages around a pairing, in seconds. */
export const pairingTtl = 300
