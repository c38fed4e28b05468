// SPDX-License-Identifier: Apache-2.0
package io.bhlat.cli;

import picocli.CommandLine.IVersionProvider;

/** The version of this build, from the jar's manifest. */
final class Version implements IVersionProvider {

  static String text() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  @Override
  public String[] getVersion() {
    return new String[] {"bhlat " + text()};
  }
}
