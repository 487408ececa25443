import { readFile } from 'node:fs/promises'
import type { Certificate } from '@stateeval/contracts'
import { checkReplay, failedByAll, measured } from '../certificate/figures.ts'
import { fileOf, privateKey, signed } from '../certificate/signing.ts'
import { certificateText } from '../certificate/text.ts'
import { defineCommand, type ExitCode, Failure } from '../command.ts'
import { benchmarkId } from '../suite/benchmark.ts'
import { evaluation, talk } from '../suite/index.ts'
import { integer, seed } from '../suite/options.ts'
import { writeText } from '../suite/output.ts'

interface CertifyCommand {
  key?: string
  samples: number
  seed: number | string
  out?: string
}

/** The signing key: of the file that is named, else of the environment. */
async function signingKey({ key }: CertifyCommand) {
  const fromEnvironment = process.env['STATEEVAL_SIGNING_KEY']
  if (key !== undefined) {
    const pem = await readFile(key, 'utf8').catch(() => {
      throw new Failure(`${key} cannot be read; --key takes a file with a private key in PEM`)
    })
    return privateKey(pem, key)
  }
  if (fromEnvironment) return privateKey(fromEnvironment, 'STATEEVAL_SIGNING_KEY')
  throw new Failure(
    'a certificate must be signed: name a key with --key FILE, or put it into STATEEVAL_SIGNING_KEY. Make one with: openssl genpkey -algorithm ed25519 -out key.pem',
  )
}

export const certify = defineCommand<CertifyCommand>({
  name: 'certify <benchmark>',
  describe:
    'Certify a benchmark: replay its references, mutate them, read its instructions back, and sign the results',
  example:
    'npx stateeval certify benchmark/ --key key.pem --out certificate.json   # a key: openssl genpkey -algorithm ed25519 -out key.pem',
  configure: (command) =>
    command
      .option('--key <file>', 'a private Ed25519 key in PEM; STATEEVAL_SIGNING_KEY by default')
      .option('--samples <n>', 'mutants of each case', integer(1, 1000), 3)
      .option('--seed <seed>', 'seed of the mutants', seed, 1)
      .option('--out <file>', 'the file to write; certificate.json by default'),
  run: async ({ options, args, terminal, signal }) =>
    talk(async (): Promise<ExitCode> => {
      const key = await signingKey(options)
      const benchmark = await benchmarkId(args[0]!, terminal, '<benchmark>')
      const { manifest } = await evaluation().getBenchmark({ params: { id: benchmark } })
      if (!manifest)
        throw new Failure(
          `the benchmark ${benchmark} is not ready. Watch it with: npx stateeval show ${benchmark}`,
        )
      const figures = await measured({ benchmark, manifest, terminal, signal }, options)
      checkReplay(figures)
      const { schema: _s, filtered: _f, statistics: _t, ...about } = manifest
      const certificate: Certificate = signed(
        {
          certificate: 1,
          madeAt: new Date().toISOString(),
          benchmark: about,
          ...figures,
          failedByAll: await failedByAll(manifest.digest, terminal),
        },
        key,
      )
      const { out = 'certificate.json' } = options
      await writeText(out, fileOf(certificate))
      terminal.result(certificate, () => `${certificateText(certificate)}\nWritten to ${out}.`)
      return 0
    }),
})
