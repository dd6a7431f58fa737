// A consumer project: an empty folder, the packed tarball, and further packages.

import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const patience = 420_000; // ms; time limit of a build, enough for a busy machine

/** Ends a program and its child processes. */
function end(child) {
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

/** The name of a package without its version. */
const nameOf = (spec) => spec.replace(/(?<=.)@[^/]*$/, '');

export class Project {
  #started = [];

  constructor(folder) {
    this.folder = folder;
    this.versions = '';
  }

  /**
   * @param {string} tarball
   * @param {{ packages?: string[], files?: Record<string, string>, shown?: string[], manifest?: object,
   *   flags?: string[] }} wanted
   *   `files` by their path; known.js and pooled.js are there too. `shown`: packages whose versions are in the table. `flags`: of
   *   npm install
   */
  static async make(
    tarball,
    { packages = [], files = {}, shown = packages, manifest = {}, flags = [] },
  ) {
    const project = new Project(await mkdtemp(join(tmpdir(), 'attention-consumer-')));
    try {
      const json = { private: true, type: 'module', ...manifest };
      await project.write({ 'package.json': JSON.stringify(json), ...files });
      for (const name of ['known.js', 'pooled.js']) {
        await cp(join(here, name), join(project.folder, name));
      }
      const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
      await project.run('npm', ['install', tarball, ...packages, ...flags, ...quiet]);
      const versions = await Promise.all(shown.map((spec) => project.#version(nameOf(spec))));
      project.versions = versions.join(', ');
      return project;
    } catch (error) {
      await project.remove();
      throw error;
    }
  }

  at(...path) {
    return join(this.folder, ...path);
  }

  bin(name) {
    return this.at('node_modules/.bin', name);
  }

  async write(files) {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(this.at(path)), { recursive: true });
      await writeFile(this.at(path), content);
    }
  }

  async #version(name) {
    const { version } = JSON.parse(
      await readFile(this.at('node_modules', name, 'package.json'), 'utf8'),
    );
    return `${name} ${version}`;
  }

  #spawn(command, args, env) {
    const child = spawn(command, args, {
      cwd: this.folder,
      env: { ...process.env, CI: '1', NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // its own process group, so that it can be ended with its children
    });
    this.#started.push(child);
    return child;
  }

  /** Runs a program; resolves to its output, rejects with its output if it fails. */
  run(command, args, env = {}) {
    const child = this.#spawn(command, args, env);
    return new Promise((resolve, reject) => {
      const output = { stdout: '', stderr: '' };
      for (const name of Object.keys(output)) {
        child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
      }
      const timer = setTimeout(() => end(child), patience);
      child.on('error', reject);
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        if (code === 0) resolve(output.stdout);
        else {
          const text = `${output.stdout}${output.stderr}`.trim().slice(-1500);
          reject(new Error(`${[command, ...args].join(' ')}: ${signal ?? code}\n${text}`));
        }
      });
    });
  }

  /** Starts a server; resolves to the address that it prints. */
  serve(command, args, env = {}) {
    const child = this.#spawn(command, args, env);
    return new Promise((resolve, reject) => {
      let said = '';
      const read = (text) => {
        said += text;
        const [address] = /https?:\/\/(?:localhost|127\.0\.0\.1):\d+/.exec(said) ?? [];
        if (address) resolve(`${address}/`);
      };
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', read);
      const give = () => reject(new Error(`${command} printed no address:\n${said.slice(-1500)}`));
      setTimeout(give, patience).unref();
      child.on('error', reject);
      child.on('close', give);
    });
  }

  async remove() {
    for (const child of this.#started) end(child);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The files of an output folder, by path. */
  async list(folder) {
    return (await readdir(this.at(folder), { recursive: true })).sort();
  }
}
