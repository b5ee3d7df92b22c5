import { verifierForGo } from './verifier-go.ts'
import { verifierForNode } from './verifier-node.ts'
import { verifierForPython } from './verifier-python.ts'
import { verifierForRust } from './verifier-rust.ts'

/** Verifiers of webhook deliveries, ready to be pasted into a receiver. The signing secret is no part of them. */
export const verifiers = {
  node: { word: 'Node', text: verifierForNode },
  python: { word: 'Python', text: verifierForPython },
  go: { word: 'Go', text: verifierForGo },
  rust: { word: 'Rust', text: verifierForRust },
} as const
export type VerifierLanguage = keyof typeof verifiers
