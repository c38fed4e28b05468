// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import io.bhlat.trace.BpfSource;
import io.bhlat.trace.ProbeKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A compiled BPF source with its maps. Not thread-safe.
 *
 * <p>The maps are the module's: closing it closes their descriptors, and a {@link BccMap} is not
 * usable afterwards. Programs and links have descriptors of their own.
 */
final class BccModule implements AutoCloseable {

  private static final int ATTACH_TYPE_DEFAULT = -1;
  private static final int PROBE_ENTRY = 0;
  private static final int PROBE_RETURN = 1;
  private static final int LOG_BYTES = 1 << 20;
  private static final String REPORT = "report it with the output of `bhlat check --verbose`";

  /** Our own sources compile without a warning; those of others are not ours to judge. */
  private static final List<String> STRICT = List.of("-Wall", "-Wno-unused-function", "-Werror");

  /**
   * Under lockdown=confidentiality the verifier knows no helper that reads kernel memory: "unknown
   * func bpf_probe_read_kernel#113", later kernels say "program of this type cannot use helper".
   */
  private static final Pattern LOCKED_DOWN =
      Pattern.compile("(unknown func|cannot use helper) bpf_probe_read_kernel");

  private final Pointer module;
  private boolean closed;

  private BccModule(Pointer module) {
    this.module = module;
  }

  /**
   * Compiles a source of the project against the small header tree.
   *
   * @param source text and constants
   * @param headers the folder that holds {@code include/} and the project's own headers
   * @throws BpfException with clang's diagnostics, or if a map cannot be created
   */
  static BccModule compile(BpfSource source, Path headers) throws BpfException {
    List<String> flags = new ArrayList<>(STRICT);
    flags.add("-I" + headers);
    return compile(source, headers, flags);
  }

  /**
   * Compiles a source against a kernel's headers.
   *
   * @param source text and constants
   * @param headers the folder that holds {@code include/linux}
   * @param flags more flags for clang
   * @throws BpfException with clang's diagnostics, or if a map cannot be created
   */
  static BccModule compile(BpfSource source, Path headers, List<String> flags) throws BpfException {
    LibBcc.load();
    Libc.setenv("BCC_KERNEL_SOURCE", headers.toString(), 1);
    String[] arguments =
        Stream.concat(flags.stream(), source.definesAsFlags().stream()).toArray(String[]::new);
    NativeStderr.Captured<@Nullable Pointer> compiled =
        NativeStderr.capture(
            () ->
                LibBcc.bpf_module_create_c_from_string(
                    source.text(), 0, new StringArray(arguments), arguments.length, true, null));
    Pointer module = compiled.value();
    if (module == null) {
      throw compileFailure(compiled.text());
    }
    return new BccModule(module);
  }

  /** libbcc says only NULL: maps that the kernel refuses fail here too, and only the text tells. */
  private static BpfException compileFailure(String diagnostics) {
    String action = "compile BPF programs";
    if (diagnostics.contains("Operation not permitted")) {
      return BpfException.ofErrno(action, Errno.EPERM, diagnostics);
    }
    if (diagnostics.contains("Cannot allocate memory")) {
      return new BpfException(
          BpfException.Kind.FAILED,
          "make BPF maps",
          "ENOMEM",
          "lower --max-functions or --max-pending",
          diagnostics);
    }
    String reason =
        diagnostics
            .lines()
            .filter(line -> line.contains("error:") || line.contains("could not open bpf map"))
            .findFirst()
            .orElse("libbcc gave no reason");
    return new BpfException(BpfException.Kind.FAILED, action, reason, REPORT, diagnostics);
  }

  /**
   * Loads one program into the kernel.
   *
   * @param kind how it will be attached; an fentry program's name says to which function
   * @param function its name in the source
   * @throws BpfException with the verifier's log
   */
  FileDescriptor load(ProbeKind kind, String function) throws BpfException {
    Pointer instructions = LibBcc.bpf_function_start(module, function);
    if (instructions == null) {
      throw new BpfException(
          BpfException.Kind.FAILED, "load " + function, "not in the BPF source", "");
    }
    Loaded loaded = load(kind, function, instructions, 0, null);
    if (loaded.descriptor >= 0) {
      return new FileDescriptor(loaded.descriptor);
    }
    try (Memory log = new Memory(LOG_BYTES)) {
      log.setByte(0, (byte) 0);
      Loaded again = load(kind, function, instructions, 1, log);
      if (again.descriptor >= 0) {
        return new FileDescriptor(again.descriptor);
      }
      throw loadFailure(kind, function, again, log.getString(0));
    }
  }

  /** EACCES and EINVAL with a log are the verifier's verdict; EPERM comes before it looked. */
  private static BpfException loadFailure(
      ProbeKind kind, String function, Loaded failed, String log) {
    String action = "load program " + function;
    if ((kind == ProbeKind.FENTRY || kind == ProbeKind.FEXIT) && log.isBlank()) {
      // Any errno: libbcc looks the function up first, and the kernel knows no such programs.
      return new BpfException(
          BpfException.Kind.UNSUPPORTED,
          action,
          Errno.name(failed.errno),
          "this kernel cannot attach " + kind.label() + " programs to it",
          failed.stderr);
    }
    if (log.isBlank() || failed.errno == Errno.EPERM) {
      return BpfException.ofErrno(action, failed.errno, failed.stderr);
    }
    if (LOCKED_DOWN.matcher(log).find()) {
      return new BpfException(
          BpfException.Kind.UNSUPPORTED,
          action,
          Errno.name(failed.errno) + ", the kernel is locked down and its memory may not be read",
          "boot without lockdown=confidentiality",
          log);
    }
    return new BpfException(
        BpfException.Kind.UNSUPPORTED,
        action,
        Errno.name(failed.errno) + ", the verifier refused it",
        REPORT,
        log);
  }

  private record Loaded(int descriptor, int errno, String stderr) {}

  private Loaded load(
      ProbeKind kind, String function, Pointer instructions, int logLevel, @Nullable Memory log) {
    int[] errno = new int[1];
    NativeStderr.Captured<Integer> result =
        NativeStderr.capture(
            () -> {
              int descriptor =
                  LibBcc.bcc_func_load(
                      module,
                      programType(kind),
                      function,
                      instructions,
                      (int) LibBcc.bpf_function_size(module, function),
                      LibBcc.bpf_module_license(module),
                      LibBcc.bpf_module_kern_version(module),
                      logLevel,
                      log,
                      log == null ? 0 : LOG_BYTES,
                      null,
                      ATTACH_TYPE_DEFAULT);
              errno[0] = descriptor < -1 ? -descriptor : Libc.errno();
              return descriptor;
            });
    return new Loaded(result.value(), errno[0], result.text());
  }

  /** enum bpf_prog_type. */
  private static int programType(ProbeKind kind) {
    return switch (kind) {
      case KPROBE, KRETPROBE -> 2;
      case RAW_TRACEPOINT -> 17;
      case FENTRY, FEXIT -> 26;
    };
  }

  /**
   * Attaches a loaded program.
   *
   * @param target the tracepoint or function
   * @return what keeps it attached; closing it detaches
   * @throws BpfException ENOENT: this kernel lacks the target; EINVAL: it has fewer arguments
   */
  static FileDescriptor attach(ProbeKind kind, FileDescriptor program, String target)
      throws BpfException {
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
    return new FileDescriptor(result.value());
  }

  private static int attachNatively(ProbeKind kind, int program, String target) {
    return switch (kind) {
      case RAW_TRACEPOINT -> LibBcc.bpf_attach_raw_tracepoint(program, target);
      case FENTRY, FEXIT -> LibBcc.bpf_attach_kfunc(program);
      case KPROBE ->
          LibBcc.bpf_attach_kprobe(program, PROBE_ENTRY, "p_bhlat_" + target, target, 0, 0);
      case KRETPROBE ->
          LibBcc.bpf_attach_kprobe(program, PROBE_RETURN, "r_bhlat_" + target, target, 0, 0);
    };
  }

  /**
   * A map of this module, its layout proven.
   *
   * @param name its name in the source
   * @param keyBytes the size of a key, as Java has it
   * @param valueBytes the size of a value, as Java has it
   * @throws BpfException if the source has no such map or its layout differs
   */
  BccMap map(String name, int keyBytes, int valueBytes) throws BpfException {
    int descriptor = LibBcc.bpf_table_fd(module, name);
    if (descriptor < 0) {
      throw new BpfException(BpfException.Kind.FAILED, "open map " + name, "not in the source", "");
    }
    long key = LibBcc.bpf_table_key_size(module, name);
    long value = LibBcc.bpf_table_leaf_size(module, name);
    if (key != keyBytes || value != valueBytes) {
      throw new BpfException(
          BpfException.Kind.FAILED,
          "open map " + name,
          "key and value have "
              + (key + " and " + value + " bytes in C, ")
              + (keyBytes + " and " + valueBytes + " in Java"),
          "the agent and its BPF sources are of different versions: install bhlat again");
    }
    long entries = LibBcc.bpf_table_max_entries(module, name);
    return new BccMap(name, descriptor, keyBytes, valueBytes, (int) entries);
  }

  /** The size of a map's values. */
  long valueBytes(String map) {
    return LibBcc.bpf_table_leaf_size(module, map);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      LibBcc.bpf_module_destroy(module);
    }
  }
}
