import type { Protocol } from '../../../node_modules/playwright-core/types/protocol.d.ts'

export type { Protocol }
export type Method = keyof Protocol.CommandParameters
export type Parameters<M extends Method> = Protocol.CommandParameters[M]
export type Answer<M extends Method> = Protocol.CommandReturnValues[M]
export type EventName = keyof Protocol.Events
