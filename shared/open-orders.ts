import type { OpenOrder } from './ipc/reads/account.ts'

/** Words after which an order no longer waits. The document does not list the statuses, so any other word counts as waiting. */
const ended: ReadonlySet<string> = new Set(['filled', 'cancelled', 'canceled', 'expired', 'rejected', 'reverted'])

/** Whether an order still waits in the book, as far as its status tells. */
export const isWaiting = (order: Pick<OpenOrder, 'status'>): boolean => order.status === null || !ended.has(order.status.trim().toLowerCase())
