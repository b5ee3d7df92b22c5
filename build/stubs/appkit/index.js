export function createAppKit() {
  throw new Error('AppKit is not installed')
}
