import type { KeySummary } from './ipc/keys/keys.ts'

/** Whether a key may still work. This includes keys of unknown status. */
export const isLiveKey = ({ status }: Pick<KeySummary, 'status'>): boolean => status === 'active' || status === 'unknown'
