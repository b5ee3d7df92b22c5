import { type ComponentType, useLayoutEffect, useState } from 'react'

/** A component whose code loads on its first use. */
export interface Late<P> {
  (props: P): React.ReactNode
  /** Loads the code before it is needed. Rejects if loading fails; the component then tries again when it is used. */
  readonly preload: () => Promise<unknown>
}

type Outcome<P> = { readonly Loaded: ComponentType<P> } | { readonly error: unknown }

/**
 * Creates a component whose code is a separate chunk. Shows `Waiting` until the chunk has loaded. If loading fails, throws the error into the
 * nearest error boundary.
 * Used instead of React's `lazy`, which may take up to 300 ms longer: React delays the content that follows a `Suspense` fallback.
 */
export function late<P extends object>(load: () => Promise<ComponentType<P>>, Waiting: ComponentType = () => null): Late<P> {
  let known: Outcome<P> | null = null
  const preload = async () => {
    known = { Loaded: await load() }
    return known
  }
  const View = (props: P) => {
    const [outcome, setOutcome] = useState(known)
    useLayoutEffect(() => {
      if (outcome !== null) return
      let here = true
      const end = (next: Outcome<P>) => {
        if (here) setOutcome(next)
      }
      preload().then(end, (error: unknown) => end({ error }))
      return () => {
        here = false
      }
    }, [outcome])
    if (outcome === null) return <Waiting />
    if ('error' in outcome) throw outcome.error
    return <outcome.Loaded {...props} />
  }
  return Object.assign(View, { preload })
}
