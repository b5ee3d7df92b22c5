import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secret } from '../../kernel/secret.ts'
import { createReveals } from './reveal.ts'

const value = `SVC_<b>"it's"&</b>_0123456789`
const asked = (url: string, method = 'GET') => new Request(url.replace('app:', 'https:'), { method })

test('the page that shows a secret has a URL that works only once, and the browser may not cache the page [AUTH-09]', async () => {
  const reveals = createReveals()
  const { url } = reveals.offer('hedger', new Secret(value))
  expect(url).toMatch(/^app:\/\/reveal\/[A-Za-z0-9_-]{43}$/)
  const answer = reveals.answer(asked(url))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  expect(await answer.text()).toContain('SVC_&#60;b&#62;&#34;it&#39;s&#34;&#38;&#60;/b&#62;_0123456789')
  const again = reveals.answer(asked(url))
  expect([again.status, await again.text()]).toEqual([404, ''])
})

test('the app refuses a request for a secret’s one-time URL if the URL is unknown or withdrawn, or if the method is not GET', async () => {
  const reveals = createReveals()
  const secret = new Secret(value)
  reveals.offer('hedger', secret)
  for (const path of ['', 'close', 'x', '__proto__', `${'A'.repeat(43)}`]) expect(reveals.answer(asked(`app://reveal/${path}`)).status, path).toBe(404)
  expect(reveals.answer(asked(reveals.offer('hedger', secret).url, 'POST')).status).toBe(404)
  const posted = reveals.offer('hedger', secret).url
  reveals.answer(asked(posted, 'HEAD'))
  expect(reveals.answer(asked(posted)).status).toBe(404)
  const withdrawn = reveals.offer('hedger', secret)
  withdrawn.withdraw()
  expect(reveals.answer(asked(withdrawn.url)).status).toBe(404)
})

test('the page that shows a secret runs no script, loads nothing, and links only to the URL that closes it', async () => {
  const reveals = createReveals()
  const answer = reveals.answer(asked(reveals.offer('<script>alert(1)</script>', new Secret(value)).url))
  const html = await answer.text()
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? ''
  expect(answer.headers.get('content-security-policy')).toBe(
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; ` +
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  )
  expect(html).not.toMatch(/<script|<img|<link|<form|<iframe|\son\w+=|url\(|@import/i)
  expect(html.match(/(href|src)="[^"]*"/g)).toEqual(['href="/close"'])
})
