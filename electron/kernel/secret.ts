import { inspect } from 'node:util'

const shown = '[secret]'

/**
 * A value that must not leave the main process by accident. `JSON.stringify`, `structuredClone`, `util.inspect` and string concatenation all give
 * `[secret]`. Only `reveal` returns the value, so every call of `reveal` needs a review.
 */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
    Object.freeze(this)
  }

  reveal(): string {
    return this.#value
  }

  equals(other: Secret): boolean {
    return this.#value === other.#value
  }

  toString(): string {
    return shown
  }

  toJSON(): string {
    return shown
  }

  [Symbol.toPrimitive](): string {
    return shown
  }

  [inspect.custom](): string {
    return shown
  }
}
