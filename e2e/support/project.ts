import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')
export const outOf = (variant: 'product' | 'hooks'): string => join(root, variant === 'hooks' ? 'out/hooks' : 'out')
