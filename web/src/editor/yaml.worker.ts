// A file of its own: only so does the bundler make it a worker of our own origin, which the Content-Security-Policy demands.
import 'monaco-yaml/yaml.worker'
