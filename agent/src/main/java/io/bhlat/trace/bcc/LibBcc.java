// SPDX-License-Identifier: Apache-2.0
package io.bhlat.trace.bcc;

import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The functions of libbcc that are used, directly mapped (bcc_common.h, libbpf.h). Valid for libbcc
 * 0.18 to 0.37.
 *
 * <p>None of these may be called before {@link #load} returned. A compilation changes the working
 * directory of the process while it lasts and writes to stderr: see {@link NativeStderr}.
 */
final class LibBcc {

  /** By soname: the name without a version belongs to the development package. */
  static final String SONAME = "libbcc.so.0";

  /** RHEL and its kin ship the library as part of the package bcc. */
  private static final String REMEDY =
      "install libbcc (Debian, Ubuntu: apt-get install libbpfcc; RHEL, Oracle Linux: dnf install bcc)";

  /** Debian 11's. */
  private static final String LEAST_VERSION = "0.18";

  private static boolean loaded;

  private LibBcc() {}

  /**
   * Loads the library, once for the process. Any thread.
   *
   * @throws BpfException if it is missing or lacks a function
   */
  static synchronized void load() throws BpfException {
    if (loaded) {
      return;
    }
    loadJna();
    NativeLibrary library = open();
    try {
      Native.register(LibBcc.class, library);
      loaded = true;
    } catch (UnsatisfiedLinkError e) {
      throw new BpfException(
          BpfException.Kind.UNSUPPORTED,
          "load " + SONAME,
          library.getFile() + " lacks " + missingFunctions(library) + " and is too old",
          "bhlat needs libbcc " + LEAST_VERSION + " or newer: " + REMEDY);
    }
  }

  private static NativeLibrary open() throws BpfException {
    try {
      return NativeLibrary.getInstance(SONAME);
    } catch (UnsatisfiedLinkError e) {
      throw new BpfException(
          BpfException.Kind.UNSUPPORTED, "load " + SONAME, dlopenReason(e.getMessage()), REMEDY);
    }
  }

  /** JNA tells the first only; all of them tell how old the library is. It has no version. */
  private static String missingFunctions(NativeLibrary library) {
    return Arrays.stream(LibBcc.class.getDeclaredMethods())
        .filter(method -> Modifier.isNative(method.getModifiers()))
        .map(Method::getName)
        .filter(name -> !has(library, name))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static boolean has(NativeLibrary library, String function) {
    try {
      return library.getFunction(function) != null;
    } catch (UnsatisfiedLinkError e) {
      return false;
    }
  }

  /** JNA unpacks a library of its own first, below ~/.cache or a folder for temporary files. */
  private static void loadJna() throws BpfException {
    try {
      Class.forName("com.sun.jna.Native");
    } catch (ClassNotFoundException | LinkageError e) {
      throw new BpfException(
          BpfException.Kind.FAILED,
          "load JNA's native library",
          String.valueOf(e.getMessage()).lines().findFirst().orElse(""),
          "name a folder that can be written and is not mounted noexec by -Djna.tmpdir");
    }
  }

  /** JNA's first line repeats the name, the second is dlopen's reason, the rest other attempts. */
  private static String dlopenReason(@Nullable String message) {
    return message == null
        ? "cannot be loaded"
        : message.lines().skip(1).findFirst().orElse(message).strip();
  }

  static native @Nullable Pointer bpf_module_create_c_from_string(
      String text,
      int flags,
      Pointer cflags,
      int ncflags,
      boolean allowRlimit,
      @Nullable Pointer device);

  static native void bpf_module_destroy(Pointer module);

  static native @Nullable Pointer bpf_function_start(Pointer module, String name);

  static native long bpf_function_size(Pointer module, String name);

  static native Pointer bpf_module_license(Pointer module);

  static native int bpf_module_kern_version(Pointer module);

  static native int bpf_table_fd(Pointer module, String name);

  static native long bpf_table_leaf_size(Pointer module, String name);

  /** The last argument exists since 0.25; earlier ones ignore it under the C calling convention. */
  static native int bcc_func_load(
      Pointer module,
      int programType,
      String name,
      Pointer instructions,
      int length,
      Pointer license,
      int kernelVersion,
      int logLevel,
      @Nullable Pointer log,
      int logSize,
      @Nullable Pointer device,
      int attachType);

  static native int bpf_attach_raw_tracepoint(int program, String name);

  /** Since 0.14. */
  static native int bpf_attach_kfunc(int program);

  static native int bpf_attach_kprobe(
      int program, int type, String event, String function, long offset, int maxActive);
}
