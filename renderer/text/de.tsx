import type { RendererTexts } from './translations.tsx'

export const de: Partial<RendererTexts> = {}
