// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import io.bhlat.linux.FileDescriptor;
import io.bhlat.linux.Libc;
import io.bhlat.trace.ProbeKind;
import java.util.Map;

/** What keeps a program attached: closing it detaches. */
interface Link extends AutoCloseable {

  /** The key of {@link #descriptors} for what is attached to one thing only. */
  long ONLY = 0;

  /** The descriptors that keep it attached, by the address of the function where there are many. */
  Map<Long, FileDescriptor> descriptors();

  /** Idempotent; nothing that goes wrong here can be helped. */
  @Override
  void close();

  /** A link that is one descriptor. */
  static Link of(FileDescriptor descriptor) {
    return new Link() {
      @Override
      public Map<Long, FileDescriptor> descriptors() {
        return Map.of(ONLY, descriptor);
      }

      @Override
      public void close() {
        descriptor.close();
      }
    };
  }

  /**
   * Attaches a loaded program.
   *
   * @param target the tracepoint or function
   * @return what keeps it attached; closing it detaches
   * @throws BpfException ENOENT: this kernel lacks the target; EINVAL: it has fewer arguments
   */
  static Link attach(ProbeKind kind, FileDescriptor program, String target) throws BpfException {
    int[] errno = new int[1];
    NativeStderr.Captured<Integer> result =
        NativeStderr.capture(
            () -> {
              int link = attachNatively(kind, program.number(), target);
              errno[0] = link < -1 ? -link : Libc.errno();
              return link;
            });
    if (result.value() < 0) {
      throw BpfException.ofErrno("attach " + kind.label() + " " + target, errno[0], result.text());
    }
    return of(new FileDescriptor(result.value()));
  }

  /** The second argument of bpf_attach_kprobe: 0 at the entry, 1 at the return. */
  private static int attachNatively(ProbeKind kind, int program, String target) {
    return switch (kind) {
      case RAW_TRACEPOINT -> LibBcc.bpf_attach_raw_tracepoint(program, target);
      case FENTRY, FEXIT -> LibBcc.bpf_attach_kfunc(program);
      case KPROBE -> LibBcc.bpf_attach_kprobe(program, 0, "p_bhlat_" + target, target, 0, 0);
      case KRETPROBE -> LibBcc.bpf_attach_kprobe(program, 1, "r_bhlat_" + target, target, 0, 0);
    };
  }
}
