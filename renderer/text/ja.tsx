import type { RendererTexts } from './translations.tsx'

export const ja: Partial<RendererTexts> = {}
