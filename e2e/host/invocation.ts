import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The app and the arguments of a command line `electron <target>`. */
export interface Invocation {
  /** All command-line arguments after the executable, as the app sees them in `process.argv`. */
  argv: string[]
  /** Path of the app’s main script. */
  entry: string
  /** The value of `app.getAppPath()`: the package’s folder, or the main script’s folder if there is no package. */
  appPath: string
  name: string | undefined
  version: string | undefined
}

/** The value of the switch `--name=value`. Empty for `--name` without a value; undefined if the switch is missing. */
export function readSwitch(argv: readonly string[], name: string): string | undefined {
  const found = argv.find((argument) => argument === `--${name}` || argument.startsWith(`--${name}=`))
  return found === undefined ? undefined : found.slice(name.length + 3)
}

/**
 * Finds the app as Electron does. In a package, that is the package’s own app. Otherwise the first argument that is not a switch names a script, or a
 * folder with a package.json. Without such an argument, the current folder is the app.
 */
export function readInvocation(argv: string[], cwd: string, packaged: string | null = null): Invocation {
  const target = packaged ?? resolve(cwd, argv.find((argument) => !argument.startsWith('-')) ?? '.')
  const isFolder = statSync(target).isDirectory()
  const appPath = isFolder ? target : dirname(target)
  const manifest = readManifest(join(appPath, 'package.json'))
  const name = manifest.productName ?? manifest.name
  return { argv, appPath, name, version: manifest.version, entry: isFolder ? resolve(target, manifest.main ?? 'index.js') : target }
}

interface Manifest {
  name?: string
  productName?: string
  version?: string
  main?: string
}

const readManifest = (path: string): Manifest => (existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Manifest) : {})
