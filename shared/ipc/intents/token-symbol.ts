import { z } from 'zod'

/** A token's symbol, as the service names it: visible characters only, and shorter than any secret. */
export const TokenSymbol = z
  .string()
  .max(16)
  .regex(/^[^\s\p{C}]+$/u)
