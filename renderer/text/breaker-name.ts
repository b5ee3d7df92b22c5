/** `new_orders` is "New orders": the name of a circuit breaker as people read it. */
export function breakerName(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words === '' ? name : words.charAt(0).toUpperCase() + words.slice(1)
}
