import type { Page } from 'playwright-core'

/** What a third party's script would try first if it ran in the page. */
export type Attempt = 'fetch' | 'socket' | 'image' | 'frame' | 'form' | 'inline script' | 'foreign script'

/** Makes the attempt in the page. Returns the directive of the content security policy that blocked it, or "allowed". */
export function attempt(page: Page, how: Attempt, url: string): Promise<string> {
  return page.evaluate(
    ([kind, target]) =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective), { once: true })
        const allowed = () => resolve('allowed')
        const make = <K extends keyof HTMLElementTagNameMap>(tag: K, set: (element: HTMLElementTagNameMap[K]) => void) => {
          const element = document.createElement(tag)
          element.addEventListener('load', allowed, { once: true })
          set(element)
          document.body.append(element)
          return element
        }
        switch (kind) {
          case 'fetch':
            // If `fetch` fails, the error contains no reason. The policy’s own event reports the directive.
            fetch(target).then(allowed, () => undefined)
            break
          case 'socket': {
            const socket = new WebSocket(target)
            socket.addEventListener('open', () => {
              socket.close()
              allowed()
            })
            break
          }
          case 'image':
            make('img', (image) => {
              image.src = target
            })
            break
          case 'frame':
            try {
              make('iframe', (frame) => {
                frame.src = target
              })
            } catch {
              resolve('refused by the page')
            }
            break
          case 'form':
            make('form', (form) => {
              form.action = target
            }).submit()
            break
          // Appends a text node, which Trusted Types allow. So this case tests the content security policy’s script directive.
          case 'inline script':
            make('script', (script) => script.append('window.planted = true'))
            if ('planted' in window) allowed()
            break
          case 'foreign script':
            try {
              make('script', (script) => {
                script.src = target
              })
            } catch {
              // The exception can be ignored, because the policy’s own event reports the directive.
            }
        }
      }),
    [how, url] as const,
  )
}

/** The page’s bridge without its types, because a hostile script may call it with any name and input. */
interface RawBridge {
  call(name: unknown, input: unknown): Promise<{ readonly result: { readonly ok: boolean; readonly failure?: { readonly kind: string } } }>
}

/** Calls the main process over the page’s own bridge. Returns "ok", the failure’s kind, or "thrown". */
export function ask(page: Page, name: unknown, input: unknown = {}): Promise<string> {
  return page.evaluate(
    async ([asked, given]) => {
      const { appBridge } = window as unknown as { readonly appBridge: RawBridge } // a cast, because the contract’s types forbid invalid calls
      try {
        const { result } = await appBridge.call(asked, given)
        return result.ok ? 'ok' : (result.failure?.kind ?? 'no kind')
      } catch {
        return 'thrown'
      }
    },
    [name, input] as const,
  )
}
