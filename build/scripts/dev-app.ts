import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { resolveConfig } from 'electron-vite'
import { build, createServer, type InlineConfig, type ViteDevServer } from 'vite'
import { privateFolder } from './desktop.ts'
import type { Host } from './electron-binary.ts'
import { inRoot } from './project.ts'

const patienceMs = 15_000

const say = (text: string) => process.stderr.write(`dev: ${text}\n`)

/**
 * Runs the app from its sources. Vite serves the pages and updates them in place. A changed preload script reloads the pages. A changed main process
 * restarts the app: the new instance starts after the old one has ended, because of the single-instance lock. Resolves with the exit code when the
 * user closes the app or a signal ends this process.
 */
export async function develop(host: Host, args: readonly string[]): Promise<number> {
  process.env.NODE_ENV_ELECTRON_VITE = 'development'
  const { config } = await resolveConfig({ mode: 'development' }, 'serve', 'development')
  if (config?.main === undefined || config.preload === undefined || config.renderer === undefined) throw new Error('electron.vite.config.ts names no app')

  const pages = await createServer(config.renderer)
  await pages.listen()
  // Removes Vite’s own signal handler, which would end this process immediately and leave the app running.
  process.removeAllListeners('SIGTERM')
  const app = createApp(host, args, addressOf(pages))
  const watchers = [
    await watch('main process', config.main, () => void app.restart()),
    await watch('preload', config.preload, () => {
      say('preload changed: pages load again')
      pages.ws.send({ type: 'full-reload' })
    }),
  ]
  say(`pages from ${addressOf(pages)}`)
  await app.restart()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void app.end())
  const code = await app.ended
  for (const stop of watchers) await stop()
  await pages.close()
  return code
}

const addressOf = (pages: ViteDevServer): string => {
  const address = pages.httpServer?.address()
  if (address === null || address === undefined || typeof address === 'string') throw new Error('the server of the pages has no port')
  return `http://localhost:${address.port}`
}

/**
 * Builds one part of the app, and builds it again whenever a source changes. After the first successful build, resolves with a function that stops
 * watching. Calls `changed` after each later build.
 */
async function watch(name: string, config: InlineConfig, changed: () => void): Promise<() => Promise<void>> {
  const watcher = await build({ ...config, build: { ...config.build, watch: {}, emptyOutDir: false }, logLevel: 'warn' })
  if (!('on' in watcher)) throw new Error(`the ${name} is built, and not watched`)
  let first = true
  let broken = false
  await new Promise<void>((resolve) => {
    watcher.on('event', (event) => {
      if (event.code === 'START') broken = false
      if (event.code === 'ERROR') {
        broken = true
        say(`the ${name} does not build${first ? '' : ', the app goes on as it was'}:\n${event.error.message}`)
      }
      if (event.code !== 'END' || broken) return
      if (first) resolve()
      else changed()
      first = false
    })
  })
  return () => watcher.close()
}

interface App {
  restart(): Promise<void>
  end(): Promise<void>
  /** Resolves with the exit code once the app has ended, unless it ended only to be restarted. */
  readonly ended: Promise<number>
}

function createApp(host: Host, args: readonly string[], rendererUrl: string): App {
  const { promise: ended, resolve } = Promise.withResolvers<number>()
  let running: ChildProcess | null = null
  let queue: Promise<void> = Promise.resolve()
  let waiting = false
  let over = false

  const stop = async () => {
    const old = running
    running = null
    if (old === null || old.exitCode !== null || old.signalCode !== null) return
    const gone = once(old, 'exit')
    old.kill('SIGTERM')
    const timer = setTimeout(() => old.kill('SIGKILL'), patienceMs)
    await gone
    clearTimeout(timer)
  }

  const start = () => {
    const child = spawn(
      host.executable,
      [inRoot('out/dev/main/index.js'), `--user-data-dir=${join(privateFolder() ?? inRoot('out/dev'), 'profile')}`, ...args],
      {
        stdio: 'inherit',
        env: { ...process.env, ELECTRON_RENDERER_URL: rendererUrl },
      },
    )
    running = child
    child.once('error', (error) => {
      say(error.message)
      resolve(1)
    })
    child.once('exit', (code) => {
      if (running === child) resolve(code ?? 1)
    })
  }

  const renew = async () => {
    waiting = false
    if (over) return
    const again = running !== null
    if (again) say('main process changed: the app starts again')
    await stop()
    if (!over) start()
  }

  return {
    restart: () => {
      if (!waiting) queue = queue.then(renew)
      waiting = true
      return queue
    },
    end: async () => {
      over = true
      await queue
      await stop()
      resolve(0)
    },
    ended,
  }
}
