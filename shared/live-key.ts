import type { KeySummary } from './ipc/keys/keys.ts'

/** Whether a key may still work. A key with an unknown status may. */
export const isLiveKey = ({ status }: Pick<KeySummary, 'status'>): boolean => status === 'active' || status === 'unknown'
