import { z } from 'zod'

/** A token, by the symbol that the service gives it: visible characters only, and shorter than any secret. */
export const TokenSymbol = z
  .string()
  .max(16)
  .regex(/^[^\s\p{C}]+$/u)
