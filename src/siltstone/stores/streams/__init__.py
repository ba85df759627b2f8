"""What stores on a server of Redis' protocol share: a journal in a stream, records, vectors, and a copy in the process.

It is a whole store on plain Redis structures. A vendor's store adds a `sink`: what its server can search by itself.
"""
