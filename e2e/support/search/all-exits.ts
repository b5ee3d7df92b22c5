import type { Page } from 'playwright-core'

/** Tries every way in which a script can send data, each once. `patienceMs`: how long to wait until a request has arrived. */
export async function tryEveryExit(page: Page, port: number, patienceMs: number): Promise<void> {
  await page.evaluate(
    async ([at, patience]) => {
      const url = (by: string, scheme = 'http') => `${scheme}://127.0.0.1:${at}/?by=${by}`
      const body = document.body
      const make = (tag: string, set: (element: HTMLElement) => void) => {
        const element = document.createElement(tag)
        set(element)
        body.append(element)
      }
      const link = (rel: string, as?: string) => make('link', (element) => Object.assign(element, { rel, href: url(rel), ...(as === undefined ? {} : { as }) }))
      const image = (address: string) => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${address}"/></svg>`

      async function call(Connection: typeof RTCPeerConnection): Promise<void> {
        const account = { username: 'a', credential: 'b' }
        const servers = [
          { urls: `stun:127.0.0.1:${at}` },
          { urls: `turn:127.0.0.1:${at}`, ...account },
          { urls: `turn:127.0.0.1:${at}?transport=tcp`, ...account },
        ]
        const connection = new Connection({ iceServers: servers })
        connection.createDataChannel('x')
        await connection.setLocalDescription()
      }
      /** Opens a connection with the `RTCPeerConnection` of a new frame, because the page’s own constructor may have been removed. */
      const callFrom = (frame: Element) => {
        body.append(frame)
        return call((frame as HTMLIFrameElement).contentWindow?.window.RTCPeerConnection as typeof RTCPeerConnection)
      }
      const xhtml = 'http://www.w3.org/1999/xhtml'

      const ways: (() => unknown)[] = [
        () => fetch(url('fetch'), { mode: 'no-cors' }),
        () => fetch(url('keepalive'), { mode: 'no-cors', keepalive: true }),
        () => {
          const request = new XMLHttpRequest()
          request.open('GET', url('xhr'))
          request.send()
        },
        () => new WebSocket(url('socket', 'ws')),
        () => navigator.sendBeacon(url('beacon'), 'x'),
        () => new EventSource(url('events')),
        () => new WebTransport(url('transport', 'https')).ready,
        () => call(RTCPeerConnection),
        () => call((window as unknown as { webkitRTCPeerConnection: typeof RTCPeerConnection }).webkitRTCPeerConnection),
        () => callFrom(document.createElement('iframe')),
        () => callFrom(document.createElementNS(xhtml, 'x:iframe')),
        () => callFrom(document.createElement('frame')),
        () => callFrom(document.implementation.createDocument(xhtml, 'iframe').documentElement),
        () => callFrom(document.implementation.createHTMLDocument().createElement('iframe')),
        () => callFrom(new DOMParser().parseFromString('<iframe></iframe>', 'text/html').querySelector('iframe') as Element),
        () => {
          customElements.define('own-frame', class extends HTMLIFrameElement {}, { extends: 'iframe' })
          return callFrom(document.createElement('iframe', { is: 'own-frame' }))
        },
        () => {
          const holder = document.createElement('div')
          holder.innerHTML = '<iframe></iframe>'
          return callFrom(holder.firstElementChild as Element)
        },
        () => {
          const holder = document.createElement('div') as unknown as HTMLElement & { setHTML(text: string): void }
          holder.setHTML('<iframe></iframe>')
          return callFrom(holder.firstElementChild as Element)
        },
        () => callFrom(document.createRange().createContextualFragment('<iframe></iframe>').firstElementChild as Element),
        () => {
          // `seal.js` prevents scripts from creating frames. This override tests that `seal.js` does not rely on `instanceof` to recognise frames.
          Object.defineProperty(HTMLIFrameElement, Symbol.hasInstance, { value: () => false, configurable: true })
          return callFrom(document.createElement('iframe'))
        },
        () => link('prefetch'),
        () => link('preconnect'),
        () => link('dns-prefetch'),
        () => link('preload', 'image'),
        () => link('modulepreload'),
        () => link('stylesheet'),
        () => link('icon'),
        () => link('manifest'),
        () => make('img', (element) => element.setAttribute('src', url('img'))),
        () => make('img', (element) => element.setAttribute('src', `data:image/svg+xml,${encodeURIComponent(image(url('svg-inside')))}`)),
        () => {
          const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
          const inner = document.createElementNS('http://www.w3.org/2000/svg', 'image')
          inner.setAttribute('href', url('svg-image'))
          svg.append(inner)
          body.append(svg)
        },
        () => make('iframe', (element) => element.setAttribute('src', url('iframe'))),
        () => make('object', (element) => element.setAttribute('data', url('object'))),
        () => make('embed', (element) => element.setAttribute('src', url('embed'))),
        () => make('video', (element) => element.setAttribute('src', url('video'))),
        () => make('video', (element) => element.setAttribute('poster', url('poster'))),
        () => make('script', (element) => element.setAttribute('src', url('script'))),
        () => make('style', (element) => element.append(`@import '${url('style-import')}'; body { background: url('${url('style-url')}') }`)),
        () => body.style.setProperty('background-image', `url('${url('css-url')}')`),
        () => new FontFace('x', `url('${url('font')}')`).load(),
        () => import(url('import')),
        () => new Worker(url('worker')),
        () => new Worker(URL.createObjectURL(new Blob([`fetch('${url('worker-inside')}')`]))),
        () => new SharedWorker(url('shared-worker')),
        () => navigator.serviceWorker.register('/seal.js'),
        () =>
          make('script', (element) => {
            element.setAttribute('type', 'speculationrules')
            element.append(JSON.stringify({ prefetch: [{ source: 'list', urls: [url('speculation')] }] }))
          }),
        () =>
          make('a', (element) => {
            Object.assign(element, { href: '#', ping: url('ping') })
            element.click()
          }),
        () => window.open(url('window')),
      ]
      const leaving: (() => unknown)[] = [
        () =>
          make('form', (element) => {
            Object.assign(element, { action: url('form'), method: 'post' })
            ;(element as HTMLFormElement).submit()
          }),
        () => window.location.assign(url('location')),
      ]
      const passing = () => new Promise((resolve) => setTimeout(resolve, patience))
      // A blocked attempt throws, rejects or never ends, so only arriving requests count. Attempts in `leaving` come last, because they leave the
      // page.
      for (const way of [...ways, ...leaving]) {
        if (leaving.includes(way)) await passing()
        void (async () => way())().catch(() => undefined)
      }
      await passing()
    },
    [port, patienceMs] as const,
  )
}
