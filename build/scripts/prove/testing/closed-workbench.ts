export async function open(): Promise<never> {
  throw new Error('nothing to work at')
}
