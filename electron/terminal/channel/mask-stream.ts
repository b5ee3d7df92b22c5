import { Transform } from 'node:stream'
import { createMask } from '../../store/secrets/mask.ts'

/** A prompt that ends like the beginning of a secret is shown after so long. */
const releaseAfterMs = 40

/** Masks what flows through it. What cannot be the beginning of a secret is passed on at once. */
export function createMaskStream(forms: readonly Buffer[]): Transform {
  const mask = createMask(forms)
  let timer: NodeJS.Timeout | undefined
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      clearTimeout(timer)
      const out = mask.push(chunk)
      timer = setTimeout(() => {
        const released = mask.release()
        if (released.length > 0) this.push(released)
      }, releaseAfterMs)
      done(null, out.length > 0 ? out : undefined)
    },
    flush(done) {
      clearTimeout(timer)
      const out = mask.end()
      done(null, out.length > 0 ? out : undefined)
    },
    destroy(error, done) {
      clearTimeout(timer)
      done(error)
    },
  })
}
