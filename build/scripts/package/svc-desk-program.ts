import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { commandName, type Target } from '../../config/release.ts'
import { inRoot, runTool } from '../project.ts'
import { fetchPinnedNode, pinnedNode } from '../setup/node.mjs'
import type { Shipped } from '../supply/notices.ts'
import { readManifest } from './stage.ts'

/** A text in Node’s program. The digit after the text says whether the program contains an app. */
export const seaFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const own: Target = { platform: process.platform as Target['platform'], arch: process.arch as Target['arch'] } // safe cast: set-up supports only these systems

/**
 * Returns the path of Node’s program for a target; null if there is none. Takes it from the pinned npm package, or takes the running Node if it has
 * the pinned version. npm has no Node package for macOS.
 */
export function nodeProgram({ platform, arch }: Target): string | null {
  const target = `${platform}-${arch}`
  if (target in pinnedNode.packages) return join(fetchPinnedNode(target), 'bin', platform === 'win32' ? 'node.exe' : 'node')
  return platform === own.platform && arch === own.arch && process.versions.node === pinnedNode.version ? process.execPath : null
}

/** Describes Node as a part of the package, for the notices and the bill of materials. Node’s npm packages for all systems have the same licence file. */
export const nodeShipped = (): Shipped => ({
  name: 'node',
  version: pinnedNode.version,
  licence: 'MIT',
  text: readFileSync(join(fetchPinnedNode('linux-x64'), 'LICENSE'), 'utf8').trim(),
})

/**
 * Makes `svc-desk` as a single executable application: Node’s program with the command inside. Returns its path. If the pinned Node is missing for
 * the target, returns null, or throws if `SVC_DESK_HOST=electron` asks for packages for users.
 */
export async function makeSvcDesk(target: Target, work: string, madeAt: Date): Promise<string | null> {
  const [base, generator] = [nodeProgram(target), nodeProgram(own)]
  if (base === null || generator === null) {
    const why = `svc-desk needs Node ${pinnedNode.version} for ${target.platform} ${target.arch}`
    if (process.env.SVC_DESK_HOST === 'electron') throw new Error(`${why}: run this with that version`)
    process.stdout.write(`${target.platform} ${target.arch}: without svc-desk, because ${why}, and npm has no such package\n`)
    return null
  }
  const folder = join(work, 'svc-desk')
  mkdirSync(folder, { recursive: true })
  await bundle(folder, 'svc-desk-entry', 'svc-desk.cjs')
  await bundle(folder, 'run-svc-desk', 'run-svc-desk.cjs')
  const config = {
    // The name has no folder, because Node writes this path into the program, and the folder differs from build to build.
    main: 'svc-desk.cjs',
    output: 'blob',
    assets: { run: 'run-svc-desk.cjs' },
    disableExperimentalSEAWarning: true,
    // A code cache would make the program differ between systems.
    useCodeCache: false,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // Without this setting, `NODE_OPTIONS` could load code into a program to which the user has given keys.
    execArgvExtension: 'none',
  }
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config))
  execFileSync(generator, ['--experimental-sea-config', 'config.json'], { cwd: folder, stdio: 'ignore' })
  const program = join(folder, commandName(target.platform))
  cpSync(base, program)
  chmodSync(program, 0o755)
  if (target.platform === 'win32') writeFileSync(program, withoutSignature(readFileSync(program)))
  if (target.platform === 'linux' && target.arch === own.arch) execFileSync('strip', ['--strip-unneeded', program], { stdio: ['ignore', 'ignore', 'inherit'] })
  const canSign = process.platform === 'darwin' && target.platform === 'darwin'
  if (canSign) execFileSync('codesign', ['--remove-signature', program])
  const segment = target.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []
  const injected = await runTool('postject', [program, 'NODE_SEA_BLOB', join(folder, 'blob'), '--sentinel-fuse', seaFuse, ...segment], { quiet: true })
  if (injected.code !== 0) throw new Error(`svc-desk could not be put into Node:\n${injected.output}`)
  if (canSign) execFileSync('codesign', ['--sign', '-', program])
  utimesSync(program, madeAt, madeAt)
  return program
}

/**
 * Bundles one of the two parts of `svc-desk` into one CommonJS file, the only kind that a single executable application runs. The bundle of
 * `svc-desk-entry` leaves out `run-svc-desk`. The entry reads that part only for a command that needs it.
 */
const bundle = (folder: string, part: 'svc-desk-entry' | 'run-svc-desk', file: string) =>
  build({
    configFile: false,
    root: inRoot(),
    logLevel: 'error',
    define: { __VERSION__: JSON.stringify(readManifest().version), __HOOKS__: 'false' },
    ssr: { noExternal: true },
    build: {
      ssr: inRoot('electron/terminal', `${part}.ts`),
      outDir: folder,
      emptyOutDir: false,
      target: 'node24',
      // A smaller bundle makes the command start sooner. The command prints no stack traces, so the bundle may shorten names.
      minify: true,
      rollupOptions: {
        external: part === 'svc-desk-entry' ? [/run-svc-desk\.ts$/] : [],
        output: { format: 'cjs', codeSplitting: false, entryFileNames: file, comments: false },
      },
    },
  })

/** Returns a Windows program without its signature. Any change to the program would make the signature invalid. */
export function withoutSignature(program: Buffer): Buffer {
  // Entry 4 of a 64-bit program’s data directories points to its certificate, which is its signature.
  const certificate = program.readUInt32LE(0x3c) + 24 + 112 + 4 * 8
  const signedFrom = program.readUInt32LE(certificate)
  const plain = Buffer.from(signedFrom === 0 ? program : program.subarray(0, signedFrom))
  plain.fill(0, certificate, certificate + 8)
  return plain
}
