// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import com.sun.jna.StringArray;
import io.bhlat.linux.Errno;
import io.bhlat.linux.FileDescriptor;
import io.bhlat.linux.Libc;
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

  /**
   * A program that is never loaded. libbcc's own macro gives it the name that this version of
   * libbcc wants of fentry programs.
   */
  private static final String NAMED_BY_LIBBCC =
      "\nKFUNC_PROBE(bhlat_names, u64 first)\n{\n\treturn 0;\n}\n";

  private final Pointer module;
  private final boolean namesModule;
  private boolean closed;

  private BccModule(Pointer module) {
    this.module = module;
    this.namesModule = LibBcc.bpf_function_start(module, "kfunc__vmlinux__bhlat_names") != null;
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
                    source.text() + NAMED_BY_LIBBCC,
                    0,
                    new StringArray(arguments),
                    arguments.length,
                    true,
                    null));
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
   * @param kind how it will be attached
   * @param function its name in the source
   * @throws BpfException with the verifier's log
   */
  FileDescriptor load(ProbeKind kind, String function) throws BpfException {
    return load(kind, function, function);
  }

  /**
   * Loads one program into the kernel.
   *
   * @param kind how it will be attached
   * @param function its name in the source
   * @param name its name in the kernel; an fentry program's says to libbcc to which function it
   *     goes
   * @throws BpfException with the verifier's log
   */
  FileDescriptor load(ProbeKind kind, String function, String name) throws BpfException {
    Pointer instructions = LibBcc.bpf_function_start(module, function);
    if (instructions == null) {
      throw new BpfException(
          BpfException.Kind.FAILED, "load " + function, "not in the BPF source", "");
    }
    Program program =
        new Program(
            kind,
            loadName(kind, name, namesModule),
            instructions,
            (int) LibBcc.bpf_function_size(module, function));
    Loaded loaded = load(program, 0, null);
    if (loaded.descriptor >= 0) {
      return new FileDescriptor(loaded.descriptor);
    }
    try (Memory log = new Memory(LOG_BYTES)) {
      log.setByte(0, (byte) 0);
      Loaded again = load(program, 1, log);
      if (again.descriptor >= 0) {
        return new FileDescriptor(again.descriptor);
      }
      throw loadFailure(kind, name, again, log.getString(0));
    }
  }

  /**
   * The name to load a program by. Of an fentry or fexit program it says to which function.
   *
   * @param namesModule whether it says of which module too, {@code vmlinux} for the kernel itself:
   *     libbcc 0.31 aborts the process, or looks for another function, when it does not; to 0.26
   *     that would be part of the function's name
   */
  static String loadName(ProbeKind kind, String function, boolean namesModule) {
    boolean namesFunction = kind == ProbeKind.FENTRY || kind == ProbeKind.FEXIT;
    if (!namesFunction || !namesModule) {
      return function;
    }
    int prefix = function.indexOf("__") + 2;
    return function.substring(0, prefix) + "vmlinux__" + function.substring(prefix);
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

  private record Program(ProbeKind kind, String name, Pointer instructions, int bytes) {}

  private record Loaded(int descriptor, int errno, String stderr) {}

  private Loaded load(Program program, int logLevel, @Nullable Memory log) {
    int[] errno = new int[1];
    NativeStderr.Captured<Integer> result =
        NativeStderr.capture(
            () -> {
              int descriptor =
                  LibBcc.bcc_func_load(
                      module,
                      programType(program.kind),
                      program.name,
                      program.instructions,
                      program.bytes,
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
    return BccMap.of(name, descriptor, keyBytes, valueBytes);
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
