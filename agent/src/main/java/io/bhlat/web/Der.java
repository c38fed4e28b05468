// SPDX-License-Identifier: Apache-2.0
package io.bhlat.web;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Wraps the older forms of private keys in PKCS#8, the one that the JDK reads:
 *
 * <pre>
 *  PrivateKeyInfo ::= SEQUENCE {
 *    version    INTEGER 0,
 *    algorithm  SEQUENCE { OBJECT IDENTIFIER, parameters },
 *    privateKey OCTET STRING }                                  -- RFC 5208
 *
 *  ECPrivateKey ::= SEQUENCE {
 *    version    INTEGER 1,
 *    privateKey OCTET STRING,
 *    parameters [0] OBJECT IDENTIFIER OPTIONAL, ... }           -- RFC 5915
 * </pre>
 */
final class Der {

  private static final int SEQUENCE = 0x30;
  private static final int OCTET_STRING = 0x04;
  private static final int OBJECT_IDENTIFIER = 0x06;
  private static final int PARAMETERS = 0xa0;
  private static final byte[] VERSION_0 = HexFormat.of().parseHex("020100");

  /** rsaEncryption (1.2.840.113549.1.1.1) without parameters. */
  private static final byte[] RSA = HexFormat.of().parseHex("300d06092a864886f70d0101010500");

  /** id-ecPublicKey (1.2.840.10045.2.1). */
  private static final byte[] EC = HexFormat.of().parseHex("06072a8648ce3d0201");

  private Der() {}

  static byte[] rsaAsPkcs8(byte[] pkcs1) {
    return element(SEQUENCE, VERSION_0, RSA, element(OCTET_STRING, pkcs1));
  }

  /**
   * Takes the curve out of the key.
   *
   * @throws IllegalArgumentException or {@link IndexOutOfBoundsException} if it is not in there
   */
  static byte[] ecAsPkcs8(byte[] sec1) {
    Element key = Element.at(sec1, 0);
    int next = key.from();
    while (next < key.to()) {
      Element part = Element.at(sec1, next);
      if (part.tag() == PARAMETERS && (sec1[part.from()] & 0xff) == OBJECT_IDENTIFIER) {
        byte[] curve = Arrays.copyOfRange(sec1, part.from(), part.to());
        return element(
            SEQUENCE, VERSION_0, element(SEQUENCE, EC, curve), element(OCTET_STRING, sec1));
      }
      next = part.to();
    }
    throw new IllegalArgumentException("no parameters");
  }

  private static byte[] element(int tag, byte[]... contents) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(tag);
    int length = Arrays.stream(contents).mapToInt(part -> part.length).sum();
    if (length < 0x80) {
      out.write(length);
    } else {
      byte[] digits = BigInteger.valueOf(length).toByteArray();
      int start = digits[0] == 0 ? 1 : 0;
      out.write(0x80 | (digits.length - start));
      out.write(digits, start, digits.length - start);
    }
    for (byte[] part : contents) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  /**
   * Where an element lies.
   *
   * @param from index of its first byte of content
   * @param to index after its last one
   */
  private record Element(int tag, int from, int to) {

    static Element at(byte[] der, int start) {
      int first = der[start + 1] & 0xff;
      int digits = first < 0x80 ? 0 : first & 0x7f;
      int length = first;
      if (digits > 0) {
        length =
            new BigInteger(1, Arrays.copyOfRange(der, start + 2, start + 2 + digits)).intValue();
      }
      int from = start + 2 + digits;
      if (length < 0 || from + length > der.length) {
        throw new IllegalArgumentException("an element that is longer than the whole");
      }
      return new Element(der[start] & 0xff, from, from + length);
    }
  }
}
