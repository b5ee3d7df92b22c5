import { expect, test } from 'vitest'
import { proxyFor } from './system-proxy.ts'

const none = { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined }
const system = (answer: string) => proxyFor('https://exchange.test', none, async () => answer)

test.each([
  ['PROXY proxy.test:3128', 'http://proxy.test:3128/'],
  ['PROXY proxy.test:3128; SOCKS5 other.test:1080; DIRECT', 'http://proxy.test:3128/'],
  ['HTTPS proxy.test:8443', 'https://proxy.test:8443/'],
  ['SOCKS5 proxy.test:1080', 'socks5://proxy.test:1080'],
  ['DIRECT', undefined],
  ['DIRECT; PROXY proxy.test:3128', undefined],
  ['QUIC proxy.test:443', undefined],
  // `SOCKS` names a proxy of SOCKS version 4, which the app does not support.
  ['SOCKS proxy.test:1080', undefined],
  ['PROXY', undefined],
  ['', undefined],
])('the app uses the system’s proxy when no environment variable names a proxy: %s', async (answer, httpsProxy) => {
  expect(await system(answer)).toEqual({ ...none, httpsProxy })
})

test('the app uses a proxy that the environment variables name, without asking the operating system for a proxy', async () => {
  const environment = { ...none, httpProxy: 'http://env.test:8080' }
  const asked: string[] = []
  const resolve = async (url: string) => {
    asked.push(url)
    return 'PROXY proxy.test:3128'
  }
  expect(await proxyFor('https://exchange.test', environment, resolve)).toEqual(environment)
  expect(asked).toEqual([])
  await proxyFor('https://exchange.test', none, resolve)
  expect(asked).toEqual(['https://exchange.test'])
})

test('the app uses no proxy if the operating system does not answer the app’s question for its proxy', async () => {
  expect(await proxyFor('https://exchange.test', none, () => Promise.reject(new Error('gone')))).toEqual(none)
})
